/** kube-mockserver as a library. */
export { MockServer, startMockServer } from './facade/mock-server.js';
export { type ServerOptions } from './facade/server-options.js';
export { VirtualClock, realClock, type Clock, type Timer } from './ground/clock.js';
export { realRandom, seededRandom, type Random } from './ground/random.js';
export { type ClusterOptions } from './registry/cluster-options.js';
