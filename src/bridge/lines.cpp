// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the lines stand that #line counts otherwise. Debug information has them as #line says;
 * clang takes the place of a message for one in the file, and counts it as #line says itself.
 */
#include "bridge/frontend.h"
#include "bridge/internal.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/Path.h"

using namespace clang;

static const SourceManager *read_sources;

void nabla::take_sources(CompilerInstance *compiler) {
  read_sources = compiler ? &compiler->getSourceManager() : nullptr;
}

static llvm::SmallString<128> whole_path(llvm::StringRef path) {
  llvm::SmallString<128> whole(path);
  read_sources->getFileManager().makeAbsolutePath(whole);
  llvm::sys::path::remove_dots(whole, true);
  return whole;
}

/* The line of the file that is counted as that one; 0: none is. */
static unsigned line_in(FileID file, llvm::StringRef path, unsigned line) {
  const auto text = read_sources->getBufferOrNone(file);
  const auto last = text ? static_cast<unsigned>(text->getBuffer().count('\n')) + 1 : 0;
  for (unsigned i = 1; i <= last; i++) {
    const PresumedLoc counted =
        read_sources->getPresumedLoc(read_sources->translateLineCol(file, i, 1));
    if (counted.isValid() && counted.getLine() == line && whole_path(counted.getFilename()) == path)
      return i;
  }
  return 0;
}

static bool has_counted_lines(const SrcMgr::SLocEntry &entry) {
  return entry.isFile() && entry.getFile().hasLineDirectives();
}

nabla::FileLine nabla::line_in_file(llvm::StringRef path, unsigned line) {
  const unsigned count = read_sources ? read_sources->local_sloc_entry_size() : 0;
  for (unsigned i = 0; i < count; i++) {
    const SrcMgr::SLocEntry &entry = read_sources->getLocalSLocEntry(i);
    if (!has_counted_lines(entry))
      continue;
    const auto start = SourceLocation::getFromRawEncoding(entry.getOffset());
    const FileID file = read_sources->getFileID(start);
    const auto known = read_sources->getFileEntryRefForID(file);
    const unsigned found = known ? line_in(file, whole_path(path), line) : 0;
    if (found)
      return {known->getName().str(), found};
  }
  return {"", 0};
}
