// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Names of members as debug information has them. A struct without a tag has no name there, but
 * that of a typedef, by which clang calls the type; one within another has not even that, and is
 * found by how it looks. */
#include "bridge/internal.h"
#include "bridge/version.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"

using namespace llvm;
using namespace nabla;

static bool is_member(const DINode *element) {
  const auto *member = dyn_cast<DIDerivedType>(element);
  return member && member->getTag() == dwarf::DW_TAG_member && !member->isStaticMember();
}

static bool is_union(const DICompositeType &composite) {
  return composite.getTag() == dwarf::DW_TAG_union_type;
}

/* The member that begins there; of several in a struct, the first; of those in a union, the only
 * one of that size. */
static const DIDerivedType *member_at(const DICompositeType &composite, uint64_t begin,
                                      uint64_t bits) {
  const DIDerivedType *found = nullptr;
  for (const DINode *element : composite.getElements()) {
    const auto *member = is_member(element) ? cast<DIDerivedType>(element) : nullptr;
    const bool fits = member && member->getOffsetInBits() == begin;
    if (fits && !is_union(composite))
      return member;
    if (!fits || member->getSizeInBits() != bits)
      continue;
    if (found)
      return nullptr;
    found = member;
  }
  return found;
}

/* What is behind names and qualifiers. */
static const DIType *plain_type(const DIType *type) {
  const auto *derived = dyn_cast_or_null<DIDerivedType>(type);
  while (derived && (derived->getTag() == dwarf::DW_TAG_typedef ||
                     derived->getTag() == dwarf::DW_TAG_const_type ||
                     derived->getTag() == dwarf::DW_TAG_volatile_type ||
                     derived->getTag() == dwarf::DW_TAG_restrict_type)) {
    type = derived->getBaseType();
    derived = dyn_cast_or_null<DIDerivedType>(type);
  }
  return type;
}

static const DICompositeType *record_of(const DIType *type) {
  const auto *composite = dyn_cast_or_null<DICompositeType>(plain_type(type));
  const unsigned tag = composite ? composite->getTag() : 0u;
  const bool record = tag == dwarf::DW_TAG_structure_type || tag == dwarf::DW_TAG_class_type ||
                      tag == dwarf::DW_TAG_union_type;
  return record ? composite : nullptr;
}

/* Does each member begin where an element of the type does? */
static bool looks_like(const DICompositeType &composite, const StructLayout &layout) {
  for (const DINode *element : composite.getElements()) {
    const auto *member = is_member(element) ? cast<DIDerivedType>(element) : nullptr;
    if (!member || member->isBitField())
      continue;
    const uint64_t bytes = member->getOffsetInBits() / 8;
    if (bytes >= layout.getSizeInBytes().getFixedValue() ||
        layout.getElementOffset(layout.getElementContainingOffset(bytes)) != bytes)
      return false;
  }
  return true;
}

/* "Box" of "model::Box", as debug information has it of "Box<double>", too. */
static StringRef plain_name(StringRef name) {
  name = name.split('<').first;
  const size_t scope = name.rfind("::");
  return scope == StringRef::npos ? name : name.drop_front(scope + 2);
}

/* That of "struct.Box.2", or in flang's symbols behind a T, of "_QMmTbox". */
static StringRef name_of(const StructType &known) {
  const StringRef name = known.getName();
  if (name.starts_with("_Q"))
    return name.drop_front(name.rfind('T') + 1).split('.').first;
  return plain_name(name.split('.').second.split('.').first);
}

/* The only one that looks like the type among those that are called so; null: none does, or
 * several. */
static const DICompositeType *composite_of(const Module &module, const StructType &known,
                                           const StructLayout &layout) {
  const StringRef name = name_of(known);
  const uint64_t bits = layout.getSizeInBits().getFixedValue();
  DebugInfoFinder finder;
  finder.processModule(module);
  const DICompositeType *found = nullptr;
  for (const DIType *type : finder.types()) {
    const bool says = isa<DICompositeType>(type) || type->getTag() == dwarf::DW_TAG_typedef;
    const DICompositeType *composite = says ? record_of(type) : nullptr;
    const StringRef own = composite ? plain_name(type->getName()) : "";
    const bool called = composite && (own == name || (own.empty() && name == "anon"));
    if (!called || composite == found || composite->getSizeInBits() != bits ||
        !looks_like(*composite, layout))
      continue;
    if (found && name == "anon")
      return nullptr;
    found = found ? found : composite;
  }
  return found;
}

/* Null where it is no struct of which something may be known. */
static const StructLayout *layout_of(const Module &module, LLVMTypeRef type) {
  auto *known = dyn_cast<StructType>(unwrap(type));
  const bool named = known && known->hasName() && known->isSized();
  return named ? module.getDataLayout().getStructLayout(known) : nullptr;
}

NbDebugStruct *nb_debug_struct(LLVMModuleRef module, LLVMTypeRef type) {
  const StructLayout *layout = layout_of(*unwrap(module), type);
  const DICompositeType *composite =
      layout ? composite_of(*unwrap(module), *cast<StructType>(unwrap(type)), *layout) : nullptr;
  return reinterpret_cast<NbDebugStruct *>(const_cast<DICompositeType *>(composite));
}

static const DICompositeType *composite_of(NbDebugStruct *known) {
  return reinterpret_cast<const DICompositeType *>(known);
}

char *nb_debug_member(LLVMModuleRef module, NbDebugStruct *known, LLVMTypeRef type,
                      unsigned index) {
  if (!known)
    return nullptr;
  const DataLayout &data = unwrap(module)->getDataLayout();
  auto *own = cast<StructType>(unwrap(type));
  const uint64_t begin = data.getStructLayout(own)->getElementOffsetInBits(index);
  const uint64_t bits = data.getTypeSizeInBits(own->getElementType(index)).getFixedValue();
  const DIDerivedType *member = member_at(*composite_of(known), begin, bits);
  return member && !member->getName().empty() ? LLVMCreateMessage(member->getName().str().c_str())
                                              : nullptr;
}

/* --- Places in memory ------------------------------------------------------------------------ */

namespace {

/* The way from a struct to what begins so many bits behind its start. */
struct Way {
  StringRef dot; /* of this language */
  std::string text;
  bool array = false; /* it ends with an array, at its first element */

  /* `first`: what stands before the first member. False where nothing that has a name begins there.
   */
  bool enter(const DICompositeType &record, uint64_t bits, StringRef first) {
    for (const DINode *element : record.getElements()) {
      const auto *member = is_member(element) ? cast<DIDerivedType>(element) : nullptr;
      const uint64_t begin = member ? member->getOffsetInBits() : 0;
      const DIType *type = member ? plain_type(member->getBaseType()) : nullptr;
      if (!type || bits < begin || bits >= begin + member->getSizeInBits())
        continue;
      const bool named = !member->getName().empty();
      text += named ? (first + member->getName()).str() : "";
      return end_in(*type, bits - begin, named ? dot : first);
    }
    return false;
  }

  /* What begins where a class does that has no names there, as a std::vector, is called as that. */
  bool enter_or_stop(const DICompositeType &record, uint64_t bits, StringRef first) {
    const std::string before = text;
    if (enter(record, bits, first))
      return true;
    text = before;
    array = false;
    return bits == 0 && !text.empty();
  }

  bool end_in(const DIType &type, uint64_t bits, StringRef first) {
    const auto *composite = dyn_cast<DICompositeType>(&type);
    if (const DICompositeType *record = record_of(&type))
      return is_union(*record) ? bits == 0 && first == dot : enter_or_stop(*record, bits, first);
    const bool is_array = composite && composite->getTag() == dwarf::DW_TAG_array_type &&
                          !composite->getRawDataLocation();
    if (is_array && bits && dot == "." && composite->getElements().size() == 1)
      return end_in_element(*composite, bits);
    array = is_array;
    return bits == 0;
  }

  bool end_in_element(const DICompositeType &whole, uint64_t bits) {
    const DIType *element = plain_type(whole.getBaseType());
    const uint64_t size = element ? element->getSizeInBits() : 0;
    if (!size)
      return false;
    text += ("[" + Twine(bits / size) + "]").str();
    return end_in(*element, bits % size, dot);
  }
};

} // namespace

static char *message_of(const Way &way, bool *array) {
  *array = way.array;
  return LLVMCreateMessage(way.text.c_str());
}

char *nb_debug_part(NbDebugStruct *known, int64_t bytes, bool *array) {
  Way way{".", ""};
  const bool found =
      known && bytes >= 0 && way.enter(*composite_of(known), uint64_t(bytes) * 8, ".");
  return found ? message_of(way, array) : nullptr;
}

static bool is_fortran(const DILocalVariable &variable) {
  const DISubprogram *function = variable.getScope()->getSubprogram();
  return function && function->getUnit() && function->getUnit()->getProducer().contains("flang");
}

static bool is_reference(const DIType &type) {
  return type.getTag() == dwarf::DW_TAG_reference_type ||
         type.getTag() == dwarf::DW_TAG_rvalue_reference_type;
}

/* What the type of a pointer leads to, which is a struct; null: nothing such. */
static const DICompositeType *pointee_of(const DIType *type) {
  const auto *pointer = dyn_cast_or_null<DIDerivedType>(plain_type(type));
  return pointer && (pointer->getTag() == dwarf::DW_TAG_pointer_type || is_reference(*pointer))
             ? record_of(pointer->getBaseType())
             : nullptr;
}

/* Of the standard library, whose members no user names. */
static bool is_standard(const DICompositeType &record) {
  const DIScope *scope = record.getScope();
  while (scope && scope->getScope() && !isa<DIFile>(scope->getScope()))
    scope = scope->getScope();
  return isa_and_nonnull<DINamespace>(scope) && scope->getName() == "std";
}

/* A variable that stands at the address, or one whose value it is. */
static const DILocalVariable *variable_of(Value &pointer, bool &stands) {
  for (const DbgVariableRecord *record : findDVRDeclares(&pointer))
    if (!record->getExpression()->getNumElements()) {
      stands = true;
      return record->getVariable();
    }
  const DbgVariableRecord *best = nullptr;
  for (DbgVariableRecord *record : debug_values_of(pointer))
    if (is_whole_value(*record) && (!best || is_nearer(*record, *best)))
      best = record;
  return best ? best->getVariable() : nullptr;
}

int64_t nb_debug_element_size(LLVMValueRef value) {
  Value &pointer = *unwrap(value);
  bool stands = false;
  const bool local = isa<Argument, Instruction>(pointer);
  const DILocalVariable *variable = local ? variable_of(pointer, stands) : nullptr;
  const DIType *type = variable && !stands ? plain_type(variable->getType()) : nullptr;
  const auto *derived = dyn_cast_or_null<DIDerivedType>(type);
  const bool leads = derived && derived->getTag() == dwarf::DW_TAG_pointer_type;
  const DIType *element = leads ? plain_type(derived->getBaseType()) : nullptr;
  return element && !record_of(element) ? static_cast<int64_t>(element->getSizeInBits() / 8) : 0;
}

char *nb_debug_part_behind(LLVMValueRef pointer, int64_t bytes, bool *array) {
  bool stands = false;
  const bool local = isa<Argument, Instruction>(unwrap(pointer));
  const DILocalVariable *variable = local ? variable_of(*unwrap(pointer), stands) : nullptr;
  const DIType *type = variable ? variable->getType() : nullptr;
  const DICompositeType *record = stands ? record_of(type) : pointee_of(type);
  if (!record || bytes < 0 || uint64_t(bytes) * 8 >= record->getSizeInBits())
    return nullptr;
  const StringRef dot = is_fortran(*variable) ? "%" : ".";
  const bool direct = stands || dot == "%" || is_reference(*plain_type(type));
  Way way{dot, ""};
  if (direct && !bytes && is_standard(*record))
    return message_of(way, array);
  return way.enter(*record, uint64_t(bytes) * 8, direct ? dot : "->") ? message_of(way, array)
                                                                      : nullptr;
}

/* --- Elements -------------------------------------------------------------------------------- */

namespace {

/* The way to a number or pointer, through members and elements. */
struct Walk {
  NbDebugBytes &bytes;
  std::string text;
  uint64_t bits = 0; /* of what it leads to */

  /* `first`: what stands before a member. */
  bool enter(const DIType *type, StringRef first = ".") {
    const auto *composite = dyn_cast_or_null<DICompositeType>(plain_type(type));
    const bool there = type && !bytes.terms && !bytes.constant;
    if (there && bytes.whole)
      return true;
    if (const DICompositeType *record = record_of(type))
      return enter_record(*record, first);
    if (composite && composite->getTag() == dwarf::DW_TAG_array_type)
      return enter_array(*composite);
    bits = there ? type->getSizeInBits() : 0;
    return there;
  }

  /* How far the member is from where the rest of the way leads: 0 within it; of an array, whose
   * index may begin with less than nothing, from its start. */
  uint64_t distance(const DIDerivedType &member) const {
    const auto begin = static_cast<int64_t>(member.getOffsetInBits() / 8);
    const auto end = begin + static_cast<int64_t>(member.getSizeInBits() / 8);
    if (!bytes.terms)
      return bytes.constant >= begin && bytes.constant < end ? 0 : UINT64_MAX;
    return static_cast<uint64_t>(std::abs(bytes.constant - begin));
  }

  /* Users do not name the members of the standard library. */
  bool enter_record(const DICompositeType &record, StringRef first) {
    const DIDerivedType *nearest = nullptr;
    for (const DINode *element : record.getElements()) {
      const auto *member = is_member(element) ? cast<DIDerivedType>(element) : nullptr;
      if (member && !member->isBitField() && distance(*member) != UINT64_MAX &&
          (!nearest || distance(*member) < distance(*nearest)))
        nearest = member;
    }
    if (!nearest || is_union(record))
      return false;
    bytes.constant -= static_cast<int64_t>(nearest->getOffsetInBits() / 8);
    const bool named = !nearest->getName().empty() && !is_standard(record);
    if (!named && is_standard(record) && !is_array(nearest->getBaseType()))
      return false;
    text += named ? (first + nearest->getName()).str() : "";
    return enter(nearest->getBaseType(), named ? "." : first);
  }

  static bool is_array(const DIType *type) {
    const DIType *plain = plain_type(type);
    return plain && plain->getTag() == dwarf::DW_TAG_array_type;
  }

  /* The bytes of what has all but the first of the dimensions; 0: unknown. */
  static uint64_t size_of_row(const DICompositeType &array, unsigned dimension) {
    const DIType *element = plain_type(array.getBaseType());
    uint64_t size = element ? element->getSizeInBits() / 8 : 0;
    for (unsigned i = dimension + 1; i < array.getElements().size(); i++) {
      const auto *range = dyn_cast<DISubrange>(array.getElements()[i]);
      const auto *count = range ? dyn_cast_if_present<ConstantInt *>(range->getCount()) : nullptr;
      size *= count && !count->isNegative() ? count->getZExtValue() : 0;
    }
    return size;
  }

  bool take(uint64_t size) {
    const char *index = size ? bytes.take(&bytes, static_cast<int64_t>(size)) : nullptr;
    text += index ? ("[" + Twine(index) + "]").str() : "";
    return index;
  }

  bool enter_array(const DICompositeType &array) {
    for (unsigned i = 0; i < array.getElements().size(); i++)
      if (!take(size_of_row(array, i)))
        return false;
    return enter(array.getBaseType());
  }

  /* Behind a pointer: its first struct is reached by an arrow. */
  bool follow(const DIType *pointee) {
    const DIType *plain = plain_type(pointee);
    if (!plain || !take(plain->getSizeInBits() / 8))
      return false;
    const bool arrow = text == "[0]" && record_of(plain);
    text = arrow ? "" : text;
    return enter(plain, arrow ? "->" : ".");
  }
};

} // namespace

/* Of a global variable in another language than Fortran; null: it is none. */
static const DIType *type_of_global(Value &pointer) {
  SmallVector<DIGlobalVariableExpression *, 1> known;
  if (const auto *global = dyn_cast<GlobalVariable>(&pointer))
    global->getDebugInfo(known);
  const bool plain = known.size() == 1 && !known[0]->getExpression()->getNumElements();
  const DIScope *scope = plain ? known[0]->getVariable()->getScope() : nullptr;
  while (scope && !isa<DICompileUnit, DISubprogram, DIModule, DIFile>(scope))
    scope = scope->getScope();
  const auto *function = dyn_cast_or_null<DISubprogram>(scope);
  const auto *unit = function ? function->getUnit() : dyn_cast_or_null<DICompileUnit>(scope);
  const bool other = unit && !unit->getProducer().contains("flang");
  return other ? plain_type(known[0]->getVariable()->getType()) : nullptr;
}

char *nb_debug_element(LLVMValueRef pointer, NbDebugBytes *bytes) {
  bool stands = false;
  const bool local = isa<Argument, Instruction>(unwrap(pointer));
  const DILocalVariable *variable = local ? variable_of(*unwrap(pointer), stands) : nullptr;
  const DIType *global = type_of_global(*unwrap(pointer));
  const DIType *type = variable ? plain_type(variable->getType()) : global;
  if (!type || (variable && is_fortran(*variable)))
    return nullptr;
  const auto *derived = dyn_cast<DIDerivedType>(type);
  const DIType *pointee = derived ? derived->getBaseType() : nullptr;
  const bool leads = pointee && (record_of(pointee) || Walk::is_array(pointee));
  const bool refers = leads && is_reference(*derived);
  Walk walk{*bytes, ""};
  const bool found =
      stands || global ? walk.enter(type)
      : refers ? walk.enter(pointee)
               : leads && derived->getTag() == dwarf::DW_TAG_pointer_type && walk.follow(pointee);
  return found && !walk.text.empty() ? LLVMCreateMessage(walk.text.c_str()) : nullptr;
}

namespace {

/* A distance without terms. */
struct PlainDistance {
  NbDebugBytes bytes;
  char index[sizeof "-9223372036854775808"];

  static const char *take(NbDebugBytes *bytes, int64_t size) {
    auto *own = reinterpret_cast<PlainDistance *>(bytes);
    const int64_t index = bytes->constant / size;
    bytes->constant %= size;
    snprintf(own->index, sizeof own->index, "%lld", static_cast<long long>(index));
    return own->index;
  }
};

} // namespace

static bool is_part(DbgVariableRecord &record) {
  constexpr unsigned fragment_alone = 3;
  return record.isDbgValue() && !record.hasArgList() &&
         record.getExpression()->getNumElements() == fragment_alone &&
         record.getExpression()->getFragmentInfo() && !is_fortran(*record.getVariable());
}

char *nb_value_part_name(LLVMValueRef value, bool *certain) {
  DbgVariableRecord *best = nullptr;
  for (DbgVariableRecord *record : debug_values_of(*unwrap(value)))
    if (is_part(*record) && (!best || is_better(*unwrap(value), *record, *best)))
      best = record;
  if (!best)
    return nullptr;
  const auto fragment = best->getExpression()->getFragmentInfo();
  PlainDistance from{
      {static_cast<int64_t>(fragment->OffsetInBits / 8), 0, false, PlainDistance::take}, ""};
  Walk walk{from.bytes, best->getVariable()->getName().str()};
  *certain = is_before_uses(*unwrap(value), *best);
  return walk.enter(best->getVariable()->getType()) && walk.bits == fragment->SizeInBits
             ? LLVMCreateMessage(walk.text.c_str())
             : nullptr;
}

/* --- Fortran's arrays of a shape that the declaration tells ---------------------------------- */

static const DICompositeType *array_at(LLVMValueRef pointer) {
  bool stands = false;
  const bool local = isa<Argument, Instruction>(unwrap(pointer));
  const DILocalVariable *variable = local ? variable_of(*unwrap(pointer), stands) : nullptr;
  const auto *type =
      variable ? dyn_cast_or_null<DICompositeType>(plain_type(variable->getType())) : nullptr;
  const bool array = stands && type && type->getTag() == dwarf::DW_TAG_array_type &&
                     !type->getRawDataLocation() && is_fortran(*variable);
  return array ? type : nullptr;
}

static const ConstantInt *constant_of(DISubrange::BoundType bound) {
  return dyn_cast_if_present<ConstantInt *>(bound);
}

/* Bounds that the run tells are not known; without one, indices begin with 1. */
static const DISubrange *subrange_of(const DINode *element) {
  const auto *range = dyn_cast<DISubrange>(element);
  const bool plain = range && !range->getRawStride() &&
                     (!range->getRawLowerBound() || constant_of(range->getLowerBound()));
  return plain ? range : nullptr;
}

unsigned nb_debug_rank(LLVMValueRef pointer, int64_t *size) {
  const DICompositeType *type = array_at(pointer);
  const DIType *element = type ? plain_type(type->getBaseType()) : nullptr;
  const bool known =
      element && element->getSizeInBits() >= 8 &&
      all_of(type->getElements(), [](const DINode *own) { return subrange_of(own) != nullptr; });
  *size = known ? static_cast<int64_t>(element->getSizeInBits() / 8) : 0;
  return known ? type->getElements().size() : 0;
}

int64_t nb_debug_bound(LLVMValueRef pointer, unsigned dimension, int64_t *lower) {
  const DISubrange *range = subrange_of(array_at(pointer)->getElements()[dimension]);
  const ConstantInt *count = constant_of(range->getCount());
  const ConstantInt *first =
      range->getRawLowerBound() ? constant_of(range->getLowerBound()) : nullptr;
  *lower = first ? first->getSExtValue() : 1;
  return count ? count->getSExtValue() : -1;
}

bool nb_debug_is_extent(LLVMValueRef pointer, unsigned dimension, LLVMValueRef value) {
  const DISubrange *range = subrange_of(array_at(pointer)->getElements()[dimension]);
  const auto *count = dyn_cast_if_present<DIVariable *>(range->getCount());
  return count && any_of(debug_values_of(*unwrap(value)), [count](const auto *record) {
           return record->getVariable()->getName() == count->getName();
         });
}
