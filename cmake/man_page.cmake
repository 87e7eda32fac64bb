# The manual page of a program, from what its --help says, so that options are told in one place:
#
#   cmake -D PROGRAM=build/release/bin/qnn-net-run -D PAGE=qnn-net-run.1 -P cmake/man_page.cmake
cmake_path(GET PROGRAM FILENAME name)
execute_process(COMMAND "${PROGRAM}" --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
if(NOT help MATCHES "^Usage: (([^\n]+\n)+)\n([^\n]*)\\.\n(.*)$")
  message(FATAL_ERROR "${name} --help does not begin with its usage and a sentence")
endif()
set(usage "${CMAKE_MATCH_1}")
set(summary "${CMAKE_MATCH_3}")
set(rest "${CMAKE_MATCH_4}")
foreach(text IN ITEMS name usage summary rest)
  string(REPLACE "\\" "\\e" ${text} "${${text}}")
  string(REPLACE "-" "\\-" ${text} "${${text}}")
  string(REGEX REPLACE "\n([.'])" "\n\\\\&\\1" ${text} "${${text}}")  # else a request
endforeach()
foreach(title IN ITEMS Arguments Options Examples)
  string(TOUPPER "${title}" heading)
  string(REPLACE "\n${title}:\n" "\n.fi\n.SH ${heading}\n.nf\n" rest "${rest}")
endforeach()
string(TOUPPER "${name}" upper)
file(WRITE "${PAGE}" ".TH ${upper} 1 \"\" \"openqnn\" \"User Commands\"
.SH NAME
${name} \\- ${summary}
.SH SYNOPSIS
.nf
${usage}.fi
.SH DESCRIPTION
.nf
${rest}.fi
.SH EXIT STATUS
0 done; others are errors, which are told on standard error.
.SH SEE ALSO
.BR openqnn (1)
")
