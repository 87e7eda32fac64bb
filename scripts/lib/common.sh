# shellcheck shell=bash
# What the scripts share. Source it; do not run it. Sets `root`, the top of the source tree.

root="$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)"
log_dir="$root/build/log"

if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }

# die WHAT [WHY] [HOW-TO-FIX]
die() {
  printf 'error: %s\n' "$1" >&2
  [[ -z "${2:-}" ]] || printf '  why: %s\n' "$2" >&2
  [[ -z "${3:-}" ]] || printf '  fix: %s\n' "$3" >&2
  exit 1
}

# step TITLE COMMAND...: a headline, the command, and how long it took.
step() {
  local title="$1" start=$SECONDS rc=0
  shift
  printf '%s==> %s%s\n' "$bold" "$title" "$plain"
  "$@" || rc=$?
  if ((rc == 0)); then
    printf '    %s: %d s\n' "$title" $((SECONDS - start))
  else
    printf '    %s: failed (exit %d) after %d s\n' "$title" "$rc" $((SECONDS - start))
  fi
  return "$rc"
}

# usage: prints the comment block at the top of the running script.
usage() { sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0"; }

cpu_count() { nproc 2>/dev/null || echo 2; }

# --- packages -------------------------------------------------------------------------------------------

# packages_in LIST...: the package names in scripts/packages/LIST.txt. A line `NAME unless COMMAND` names a package that is wanted
# only where there is no such command: what brought the command may not go together with Debian's package.
packages_in() {
  local list name unless command
  for list in "$@"; do
    [[ -f "$root/scripts/packages/$list.txt" ]] || die "there is no package list '$list'"
    while read -r name unless command; do
      [[ -n "$name" ]] || continue
      [[ "$unless" == unless ]] && command -v "$command" >/dev/null || printf '%s\n' "$name"
    done < <(sed 's/#.*//' "$root/scripts/packages/$list.txt")
  done
}

# missing_packages NAME...: those that are not installed.
missing_packages() {
  local name
  for name in "$@"; do
    [[ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" == installed ]] || printf '%s\n' "$name"
  done
}

# apt_get COMMAND ARGUMENT...: apt-get as root. Shows one line a package; the whole output goes to build/log/apt.log.
apt_get() {
  local as_root=() line words
  if [[ "$(id -u)" != 0 ]]; then
    as_root=(sudo)
    [[ -t 0 ]] || as_root+=(-n)
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null 2>&1 | tee -a "$log_dir/apt.log" |
    while IFS= read -r line; do
      read -ra words <<<"$line"
      case "$line" in
        Get:*) [[ "$1" == update ]] || printf '    fetch   %s\n' "${words[4]:-}" ;;
        'Setting up '*) printf '    set up  %s\n' "${words[2]}" ;;
        E:* | Err:* | W:*) printf '    %s\n' "$line" ;;
      esac
    done
}

# try_packages LIST...: installs what is missing of the lists. On failure returns 1 with the reason in `packages_problem`
# and the remedy in `packages_remedy`.
packages_problem='' packages_remedy=''
try_packages() {
  local wanted missing
  [[ -z "${OPENQNN_SKIP_PACKAGES:-}" ]] || return 0
  mapfile -t wanted < <(packages_in "$@")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    packages_problem='this is not a Debian system (no dpkg-query and apt-get)'
    packages_remedy="install what these Debian packages hold, then set OPENQNN_SKIP_PACKAGES=1: ${wanted[*]}"
    return 1
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  ((${#missing[@]} > 0)) || return 0

  packages_remedy="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if [[ "$(id -u)" != 0 ]] && ! command -v sudo >/dev/null; then
    packages_problem="not installed: ${missing[*]}; installing needs root, and there is no sudo"
    packages_remedy="as root: $packages_remedy"
    return 1
  fi
  mkdir -p "$log_dir"
  step "package index" apt_get update &&
    step "install ${#missing[@]} packages: ${missing[*]}" apt_get install --no-install-recommends "${missing[@]}" &&
    return 0
  packages_problem="apt-get failed for: ${missing[*]} (its last words are above, all of them in build/log/apt.log)"
  [[ "$(id -u)" == 0 ]] || packages_remedy="as root: $packages_remedy"
  return 1
}

# need_packages LIST...: as try_packages, but fatal.
need_packages() {
  try_packages "$@" || die "packages are missing" "$packages_problem" "$packages_remedy"
}

# --- building -------------------------------------------------------------------------------------------

# configure PRESET [-DNAME=VALUE...]. Whoever calls says OPENQNN_TESTS explicitly: build/release is shared by scripts that
# want the tests and scripts that do not.
configure() {
  local preset="$1"
  shift
  configure_in "$preset" "$preset" "$@"
}

# configure_in FOLDER PRESET [-DNAME=VALUE...]: the same, in build/FOLDER.
configure_in() {
  local folder="$1" preset="$2" cache home log="configure-${1//\//-}.log"
  shift 2
  cache="$root/build/$folder/CMakeCache.txt"
  if [[ -f "$cache" ]]; then
    home="$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")"
    if [[ "$home" != "$root" ]]; then
      say "    build/$folder was made for another source folder: starting it afresh"
      rm -rf "${root:?}/build/$folder"
    fi
  fi
  # What it found is of no use to anybody unless it fails; warnings and errors are printed in any case.
  mkdir -p "$log_dir"
  cmake -S "$root" -B "$root/build/$folder" --preset "$preset" --no-warn-unused-cli "$@" >"$log_dir/$log" && return 0
  say "    the whole output is in build/log/$log"
  return 1
}

# build PRESET [cmake --build argument...]
build() {
  local preset="$1"
  shift
  NINJA_STATUS="[%f/%t, %e s] " cmake --build "$root/build/$preset" --parallel "$(cpu_count)" "$@"
}

# configure_and_build PRESET [-DNAME=VALUE...]
configure_and_build() {
  local preset="$1"
  step "configure $preset" configure "$@" && step "build $preset" build "$preset"
}
