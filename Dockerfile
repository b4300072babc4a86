# docker build -t meniscus .
# docker run --rm -v "$PWD/out:/out" meniscus run crown-small -o /out/crown
# With a device of NVIDIA: docker run --gpus all ... meniscus run crown-small --backend opencl -o /out/crown
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends build-essential ca-certificates cmake file git \
    ninja-build pkg-config libyaml-dev libhdf5-dev libode-dev zlib1g-dev libpng-dev libembree-dev libcivetweb-dev \
    ocl-icd-opencl-dev opencl-headers
COPY . /src
WORKDIR /src
RUN cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DMN_TESTS=OFF && ninja -C build && cd build && cpack -G DEB

FROM debian:12
COPY --from=build /src/build/meniscus_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/meniscus_*.deb && \
    rm -rf /tmp/meniscus_*.deb /var/lib/apt/lists/*
ENTRYPOINT ["meniscus"]
