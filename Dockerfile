# chilapi and chiladmin on a small Debian, and the printer of the local stack.
#   docker build -t chilapi .                        the service (target `service`, the last one)
#   docker build -t chil-printer --target printer .

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libpq-dev libssl-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY sql ./sql
COPY Sources ./Sources
# The package names its test targets, so their folders must be there; nothing of them is built.
COPY Tests ./Tests
# The cache keeps what was compiled between builds; the binaries leave it in the same step.
RUN --mount=type=cache,target=/source/.build \
    swift build -c release --static-swift-stdlib --product chilapi \
    && swift build -c release --static-swift-stdlib --product chiladmin \
    && install -D -t /out -s .build/release/chilapi .build/release/chiladmin \
    && install -d /share/man/man1 /share/bash-completion/completions \
    && /out/chiladmin __man > /share/man/man1/chiladmin.1 \
    && /out/chiladmin completion bash > /share/bash-completion/completions/chiladmin

FROM docker.io/library/debian:bookworm-slim AS printer
RUN apt-get update \
    && apt-get install -y --no-install-recommends cups-ipp-utils dbus-daemon \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10002 printer \
    && useradd --uid 10002 --gid printer --create-home printer \
    && install -d -o printer -g printer /spool
COPY dev/container/printer /usr/local/bin/printer
COPY dev/container/is-listening /usr/local/bin/is-listening
USER printer
EXPOSE 8631
VOLUME /spool
ENTRYPOINT ["printer"]

FROM docker.io/library/debian:bookworm-slim AS service
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates graphicsmagick libpq5 libssl3 libstdc++6 poppler-utils tzdata \
        util-linux zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 chil \
    && useradd --uid 10001 --gid chil --create-home chil \
    && install -d -o chil -g chil -m 0700 /keys
COPY dev/container/is-ready dev/container/wait-for /usr/local/bin/
COPY --from=build /out/ /usr/local/bin/
COPY --from=build /share/ /usr/local/share/
USER chil
EXPOSE 8080
ENV CHIL_LISTEN=0.0.0.0:8080
CMD ["chilapi"]
