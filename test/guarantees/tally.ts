/** Sums over many scenarios: what a run has really visited. */
import { type Outcome } from './run-in-process.js';

export class Tally {
  scenarios = 0;
  readonly totals: Record<Exclude<keyof Outcome, 'broken'>, number> = {
    sessions: 0,
    events: 0,
    bookmarks: 0,
    stalls: 0,
    catchUps: 0,
    expiries: 0,
    silentEnds: 0,
  };

  add(outcome: Outcome): void {
    this.scenarios++;
    for (const name of Object.keys(this.totals) as (keyof typeof this.totals)[])
      // the keys of this very record
      this.totals[name] += outcome[name];
  }
}
