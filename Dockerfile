# The image of Gatehouse: the service, its portal and its production dependencies on distroless Node, without a shell or
# npm, as a user without rights. `docker build -t gatehouse:0.1.0 .`, then docs/operations.md, "Containers".
# Tags name the base images, and their publishers move tags to newer builds; docs/upgrading.md, "Images", explains pinning.
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY portal/package.json portal/
COPY packages packages
# No installed package needs its install script here; this stage already contains Node.
RUN npm ci --ignore-scripts
COPY tsconfig.base.json LICENSE ./
COPY scripts scripts
COPY portal portal
COPY server server
RUN node scripts/build-package.ts && node scripts/bundle-package.ts

FROM node:24-trixie-slim AS assembly
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY portal/package.json portal/
COPY packages packages
# Left out: types and source maps, which nothing reads at run time, and the embedded engine, because production has
# PostgreSQL.
RUN npm ci --omit=dev --workspace server --ignore-scripts \
  && find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete \
  && rm -r portal packages node_modules/@electric-sql
COPY --from=build /app/LICENSE ./
COPY --from=build /app/server/dist server/dist
COPY server/entry server/entry
COPY server/migrations server/migrations
COPY deploy/healthcheck.mjs ./

FROM gcr.io/distroless/nodejs24-debian13:nonroot
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="Self-hosted identity, sessions and tenancy for multi-tenant web applications" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=assembly /app ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
# A numeric user, so that Kubernetes can verify that it is not root.
USER 65532:65532
EXPOSE 4000
STOPSIGNAL SIGTERM
# Liveness, from /healthz; readiness is /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["/nodejs/bin/node", "/app/healthcheck.mjs", "/healthz"]
# The limit of V8's young generation keeps a process below 300 MB under load (docs/decisions/0041-the-image-runs-a-bundle.md).
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=16", "/app/server/entry/gatehouse.mjs"]
CMD ["serve"]
