!mod$ v1 sum:3b3d4b360f048ac8
!need$ 94c337b39896f38b n types_of_cases
module cases
use types_of_cases,only:point
use types_of_cases,only:cloud
real(8)::saved
contains
subroutine intrinsics(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine matmuls(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine dims(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine assumed(x,y)
real(8),intent(in)::x(:)
real(8),intent(inout)::y(:)
end
subroutine shapes(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine allocs(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine derived(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine commons(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine use_common(y,m)
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine moduled(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine wheres(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine maths(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
recursive function power(x,k) result(p)
real(8),intent(in)::x
integer(4),intent(in)::k
real(8)::p
end
subroutine inner(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine pointers(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine prints(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine temporaries(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine explicit(n,v,s)
integer(4),intent(in)::n
real(8),intent(in)::v(1_8:int(n,kind=8))
real(8),intent(out)::s
end
function vector_valued(x) result(v)
real(8),intent(in)::x(:)
real(8)::v(1_8:size(x,dim=1,kind=8))
end
subroutine results(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
subroutine single(n,x,m,y)
integer(4),intent(in)::n
real(8),intent(in)::x(1_8:int(n,kind=8))
integer(4),intent(in)::m
real(8),intent(out)::y(1_8:int(m,kind=8))
end
end
