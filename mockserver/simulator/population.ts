/** Clients of one kind, and what they have met. */
import { type Client } from './client.js';
import { Histogram } from './histogram.js';
import { distributionOf, type PopulationResult } from './result.js';

export class Population {
  readonly name: string;
  readonly clients: Client[] = [];
  /** Milliseconds from commit to reading. */
  readonly latency = new Histogram();
  /** Milliseconds from falling behind to being synced. */
  readonly resync = new Histogram();
  /** Watches that the server ended, by reason. */
  readonly ended: Record<string, number> = {};
  reconnects = 0;
  relists = 0;
  behindAtEnd = 0;

  constructor(name: string) {
    this.name = name;
  }

  get result(): PopulationResult {
    return {
      name: this.name,
      watchers: this.clients.length,
      latency: distributionOf(this.latency),
      latencyBuckets: this.latency.buckets,
      ended: this.ended,
      reconnects: this.reconnects,
      relists: this.relists,
      resync: distributionOf(this.resync),
      behindAtEnd: this.behindAtEnd,
    };
  }
}
