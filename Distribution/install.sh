#!/bin/sh
# Installs this folder below a prefix: `install.sh [PREFIX]`, /usr/local for root and ~/.local for others.
# Files of an earlier version are replaced. `install.sh --remove [PREFIX]` removes it.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
remove=
if [ "${1:-}" = --remove ]; then remove=1; shift; fi
case "${1:-}" in -*) sed -n '2,3s/^# //p' "$0" >&2; exit 2 ;; esac
if [ "$(id -u)" -eq 0 ]; then usual=/usr/local; else usual=$HOME/.local; fi
prefix=${1:-$usual}

library=$prefix/lib/reelwire
links="share/bash-completion/completions/reelwire:reelwire.bash share/zsh/site-functions/_reelwire:_reelwire
  share/fish/vendor_completions.d/reelwire.fish:reelwire.fish"
# A file of the same name that isn't ours stays.
is_ours() { [ ! -e "$1" ] && [ ! -L "$1" ] || case "$(readlink "$1")" in "$library"/*) true ;; *) false ;; esac; }
is_ours "$prefix/bin/reelwire" || { echo "install.sh: $prefix/bin/reelwire is not of this package; it stays, and nothing is changed" >&2; exit 1; }
# Manual pages of this package, also those of commands that an earlier version had.
pages=$prefix/share/man/man1
remove_pages() {
  for page in "$pages"/reelwire*.1; do
    case "$(readlink "$page")" in "$library"/*) rm -f "$page" ;; esac
  done
}
if [ -e "$library" ] && [ ! -e "$library/sbom.cdx.json" ]; then
  echo "install.sh: $library is not of this package; it stays, and nothing is changed" >&2
  exit 1
fi

if [ -n "$remove" ]; then
  rm -rf "$library"
  rm -f "$prefix/bin/reelwire"
  for link in $links; do ! is_ours "$prefix/${link%%:*}" || rm -f "$prefix/${link%%:*}"; done
  remove_pages
  echo "removed from $prefix"
  exit 0
fi
mkdir -p "$prefix/lib" "$prefix/bin"
# The new folder is whole before the old one goes.
rm -rf "$library.new"
cp -R "$folder" "$library.new"
rm -rf "$library"
mv "$library.new" "$library"
ln -sfn "$library/bin/reelwire" "$prefix/bin/reelwire"
for link in $links; do
  place=$prefix/${link%%:*}
  is_ours "$place" || continue
  mkdir -p "$(dirname "$place")"
  ln -sfn "$library/share/completions/${link#*:}" "$place"
done
remove_pages
mkdir -p "$pages"
for page in "$library"/share/man/man1/*.1; do
  place=$pages/${page##*/}
  ! is_ours "$place" || ln -sfn "$page" "$place"
done
echo "installed: $prefix/bin/reelwire, $("$prefix/bin/reelwire" --version)"
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "$prefix/bin is not on the PATH of this shell" ;; esac
