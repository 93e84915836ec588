/** kube-mockserver as a library. */
export { MockServer, startMockServer } from './facade/mock-server.js';
export { scenario, scenarioNames } from './facade/scenario.js';
export { type ServerOptions } from './facade/server-options.js';
export { fault } from './faults/fault.js';
export { type FaultScope, Faults } from './faults/faults.js';
export { RuleError, readRuleText } from './faults/rule-reader.js';
export { type Effect, type EventMatch, type FaultRule, type Match, type StatusParts } from './faults/rule.js';
export { type JournalEntry } from './observe/journal-entry.js';
export { Journal } from './observe/journal.js';
export { journalMatchers } from './observe/journal-matchers.js';
export { JournalView } from './observe/journal-view.js';
export { VirtualClock, realClock, type Clock, type Timer } from './ground/clock.js';
export { realRandom, seededRandom, type Random } from './ground/random.js';
export { type ClusterOptions } from './registry/cluster-options.js';
