# Image of `locus mcp` and `locus serve`: docs/how-to/run-in-a-container.md. The build context is dist/release/npm;
# `node scripts/release/image.ts build` builds it. There is no HEALTHCHECK, since `locus mcp` listens on nothing.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# Past commits are signals of the ranking. Git refuses folders of other users, and a mounted repository may be of any;
# Locus runs nothing that a repository configures.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && git config --system --add safe.directory '*'

# No registry is asked, and no script runs.
RUN --mount=type=bind,target=/packages \
    npm install --global --offline --ignore-scripts --no-audit --no-fund \
      /packages/*.tgz "/packages/linux-$(node -p process.arch)"/*.tgz \
 && rm -rf /root/.npm

# The only folder that Locus writes to. Any user may, so that `--user` works.
RUN install -d -m 1777 /data
ENV LOCUS_DATA_DIR=/data/locus \
    LOCUS_KEYCHAIN=off
VOLUME /data

USER node
WORKDIR /repository
ENTRYPOINT ["locus"]
CMD ["mcp", "--repo", "/repository"]
