!mod$ v1 sum:94c337b39896f38b
module types_of_cases
type::point
real(8)::at(1_8:3_8)
integer(4)::tag
real(8)::mass
end type
type::cloud
integer(4)::count
type(point),allocatable::points(:)
real(8),pointer::weights(:)=>NULL()
end type
intrinsic::null
end
