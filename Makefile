# One word for each thing that people do here. CMake does the building; see CMakeLists.txt for its options.
#   make run [SCENE=...]   install what is missing, build, simulate a scene and leave pictures
#   make test              everything that decides whether a change may land; ends with `N passed, N failed`

SCENE ?= scenes/akinci2013/crown-small.yaml
OUT ?= out/$(basename $(notdir $(SCENE)))
PREFIX ?= /usr/local
JOBS ?= 2
FUZZ_SECONDS ?= 1800
HOURS ?= 1

CONFIGURE = cmake -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX)
STRICT = $(CONFIGURE) -DMN_WERROR=ON
NINJA = ninja -j$(JOBS)
SOURCES = $(shell git ls-files -co --exclude-standard '*.c' '*.h')

.PHONY: build run test test-builds golden validate bench fuzz hostile format tidy docs install clean setup package \
	libraries

build: build/build.ninja
	@$(NINJA) -C build meniscus

build/build.ninja:
	@$(CONFIGURE) -S . -B build -DCMAKE_BUILD_TYPE=Release -DMN_WERROR=OFF

setup:
	@sh tools/setup.sh

run:
	@sh tools/setup.sh build
	@$(MAKE) --no-print-directory build
	build/meniscus run $(SCENE) -o $(OUT) --preview --overwrite
	@n=$$(ls $(OUT)/frames 2>/dev/null | wc -l); \
	    build/meniscus render $(OUT) --frames $$((n / 5)) --overwrite || echo "no ray-traced picture"
	@echo "pictures: $(OUT)/preview, $(OUT)/render"
	@if [ -f $(OUT)/preview.mp4 ]; then echo "film: $(OUT)/preview.mp4"; fi

# Both compilers, and the tests once more under the sanitizers; here warnings are errors.
test-builds: setup
	@$(STRICT) -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc >/dev/null
	@$(STRICT) -S . -B build-clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DMN_TESTS=OFF >/dev/null
	@$(STRICT) -S . -B build-sanitize -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=gcc -DMN_SANITIZE=ON >/dev/null
	@$(STRICT) -S . -B build-fuzz -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DMN_SANITIZE=ON \
		-DMN_FUZZ=ON -DMN_TESTS=OFF >/dev/null
	@for tree in build build-clang build-sanitize build-fuzz; do \
		echo "== $$tree"; $(NINJA) --quiet -C $$tree || exit 1; done

test: test-builds
	@sh tests/run.sh

# Writes the table of golden hashes anew, after a change that was meant to change bits:
# make golden REASON="why they change".
golden: build
	@$(NINJA) --quiet -C build test_hashes
	@build/test_hashes --renew "$(REASON)"

validate: build
	build/meniscus validate

bench: build
	build/meniscus bench

fuzz: test-builds
	@sh tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

# Broken and random scenes for so many hours, half of them each: make hostile HOURS=2 SEED=7. What fails stays in
# build/hostile.
hostile: build
	@python3 tests/hostile/hostile.py --sanitized build-sanitize/meniscus --jobs $(JOBS) --minimise 600 \
		--seconds $$(python3 -c 'print($(HOURS) * 1800)') --seed "$(or $(SEED),$(shell date +%Y%m%d%H%M))"

format:
	clang-format -i $(SOURCES)

tidy: build
	@clang-tidy --quiet -p build $(filter cli/%.c src/%.c,$(filter-out src/run/cpu_kernels.c src/run/opencl.c,$(SOURCES)))

# What the program knows about its own scene files.
docs: build
	build/meniscus list reference > docs/scene-reference.md
	build/meniscus list schema > docs/scene.schema.json

# meniscus_VERSION_ARCH.deb and meniscus-VERSION-SYSTEM.tar.gz in build.
package: libraries
	cd build && cpack

libraries: build
	@$(NINJA) -C build meniscus libmeniscus_shared sealed

install: libraries
	cmake --install build --prefix $(PREFIX)
	@[ "$$(id -u)" -ne 0 ] || [ -n "$(DESTDIR)" ] || ! command -v ldconfig >/dev/null || ldconfig

clean:
	rm -rf build build-clang build-sanitize build-fuzz
