// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function with derivatives of the user's may read numbers only, and yet these derivatives do
 * something with the shadows, as a hook does: then it counts as writing there. */
#include "objects/graph.h"
#include "request/registrations.h"

static const NbChanges *changes_of(const NbObjects *objects, LLVMValueRef function) {
  const NbCustom *custom = nb_custom_of(objects->context, function);
  return custom ? custom->changes : NULL;
}

bool nb_graph_is_told_of(const NbObjects *objects, LLVMValueRef function, unsigned parameter) {
  const NbChanges *changes = changes_of(objects, function);
  return changes &&
         (changes[parameter].here || changes[parameter].behind || changes[parameter].unseen);
}

static bool is_written(void *user, NbClass *class) {
  (void)user;
  return (class->flags & NB_CLASS_WRITTEN) != 0;
}

static bool mark_written(void *user, NbClass *class) {
  if (class != user)
    class->flags |= NB_CLASS_WRITTEN;
  return false;
}

/* Does the function do nothing that a derivative could be of, as far as its body says? */
static bool only_looks(NbObjects *objects, LLVMValueRef function) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  bool looks = LLVMGetTypeKind(result) == LLVMVoidTypeKind;
  for (unsigned i = 0; looks && i < LLVMCountParams(function); i++) {
    NbClass *class = nb_value_class_known(objects, LLVMGetParam(function, i));
    looks = !class || !nb_class_walk(class, is_written, NULL);
  }
  return looks;
}

void nb_graph_note_told(NbObjects *objects, LLVMValueRef function) {
  const NbChanges *changes = changes_of(objects, function);
  bool looks = changes && only_looks(objects, function);
  for (unsigned i = 0; changes && i < LLVMCountParams(function); i++) {
    NbClass *class = nb_value_class_known(objects, LLVMGetParam(function, i));
    if (!class)
      continue;
    class = nb_class_find(class);
    if (changes[i].here || (changes[i].unseen && looks))
      class->flags |= NB_CLASS_WRITTEN;
    if (changes[i].behind || (changes[i].unseen && looks))
      nb_class_walk(class, mark_written, class);
  }
}
