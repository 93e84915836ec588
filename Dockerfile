# A server in a container:  docker build -t kube-mockserver . && docker run --rm -p 18080:18080 kube-mockserver
FROM node:20-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm prune --omit=dev

FROM node:20-slim
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE /src/NOTICE ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/dist dist
USER node
EXPOSE 18080
# Within the container alone 127.0.0.1 would be out of reach.
CMD ["node", "dist/mockserver/cli/main.js", "serve", "--host", "0.0.0.0", "--port", "18080"]
