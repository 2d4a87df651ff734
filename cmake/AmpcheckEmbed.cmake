# ampcheck_embed(OUTPUT FILES…): a .cpp that holds the text of files, by their names relative to the current
# folder, for properties/embedded.hpp.
function(ampcheck_embed output)
  set(entries "")
  foreach(file IN LISTS ARGN)
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${file} text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    string(APPEND entries "    {\"${file}\", R\"ampcheck(${text})ampcheck\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"properties/embedded.hpp\"

namespace ampcheck::properties {
namespace {
constexpr EmbeddedFile kFiles[] = {
@entries@};
}  // namespace

std::span<const EmbeddedFile> embedded_files() { return kFiles; }
}  // namespace ampcheck::properties
")
endfunction()
