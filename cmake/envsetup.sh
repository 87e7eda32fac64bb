#!/bin/sh
# To be sourced (`. bin/envsetup.sh`) by bash, zsh or any POSIX shell: this tree becomes the SDK of the session.
#
# Sets QNN_SDK_ROOT and its other names, and puts the folders of this tree at the front of PATH, LD_LIBRARY_PATH and PYTHONPATH; sourcing
# it twice adds nothing.

# Run as a program, it would set the variables of a process that ends at once. zsh gives a sourced file's own name as $0, too, and tells
# the two apart in another way.
_openqnn_how="${ZSH_EVAL_CONTEXT:-${0##*/}}"
if [ "$_openqnn_how" = envsetup.sh ] || [ "$_openqnn_how" = toplevel ]; then
  echo "envsetup.sh: error: run as a program, it cannot change the shell it is run from; source it: . \"$0\"" >&2
  exit 1
fi
unset _openqnn_how

# Where this file is. Only bash and zsh tell that to a sourced file; in other shells QNN_SDK_ROOT must be set.
if [ -n "${BASH_VERSION:-}" ]; then
  eval '_openqnn_file="${BASH_SOURCE[0]}"'
elif [ -n "${ZSH_VERSION:-}" ]; then
  eval '_openqnn_file="${(%):-%x}"'
else
  _openqnn_file="${QNN_SDK_ROOT:-}/bin/envsetup.sh"
fi
_openqnn_root="$(CDPATH='' cd -- "$(dirname -- "$_openqnn_file")/.." 2>/dev/null && pwd)" || _openqnn_root=''

# _openqnn_first VARIABLE FOLDER: the folder becomes the first of the list, unless it is in it.
_openqnn_first() {
  _openqnn_list=''
  eval "_openqnn_list=\"\${$1:-}\""
  case ":$_openqnn_list:" in
    *":$2:"*) ;;
    *) eval "$1=\"\$2\${_openqnn_list:+:\$_openqnn_list}\"" ;;
  esac
  export "${1?}"
}

if [ -n "$_openqnn_root" ] && [ -d "$_openqnn_root/lib/x86_64-linux-clang" ]; then
  QNN_SDK_ROOT="$_openqnn_root"
  QAIRT_SDK_ROOT="$_openqnn_root"
  export QNN_SDK_ROOT QAIRT_SDK_ROOT
  _openqnn_first PATH "$_openqnn_root/bin/x86_64-linux-clang"
  _openqnn_first LD_LIBRARY_PATH "$_openqnn_root/lib/x86_64-linux-clang"
  _openqnn_first PYTHONPATH "$_openqnn_root/lib/python"
  unset _openqnn_file _openqnn_root _openqnn_list
  unset -f _openqnn_first
  true
else
  echo "envsetup.sh: error: this shell does not tell where the file is; set QNN_SDK_ROOT to the folder above bin/ first" >&2
  unset _openqnn_file _openqnn_root
  unset -f _openqnn_first
  false
fi
