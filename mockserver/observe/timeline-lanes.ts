/** Which requests share a lane of a timeline: those that would tell the same thing line by line. */
import { type ClientPath, nameStep, type Step, stepBefore } from './client-path.js';

export interface Lane {
  /** What its requests were: `resumes the watch`, `create`. */
  readonly name: string;
  /** In order, one at least. */
  readonly steps: readonly LaneStep[];
  /** Rules that fired at its requests, each once. */
  readonly faults: readonly string[];
}

export interface LaneStep {
  readonly step: Step;
  /** What it was, with its versions. */
  readonly name: string;
  /** A list from the beginning that was not the first request. */
  readonly relist: boolean;
}

/** Lists and watches of one name that follow each other share a lane, and so do all other requests of one verb. */
export function lanesOf({ steps }: ClientPath): Lane[] {
  const lanes: { name: string; steps: LaneStep[] }[] = [];
  const ofVerb = new Map<string, LaneStep[]>();
  steps.forEach((step, i) => {
    const before = stepBefore(steps, i);
    const { verb, continued } = step.request;
    const told = {
      step,
      name: nameStep(step, before),
      relist: verb === 'list' && !continued && before !== undefined,
    };
    const isPath = verb === 'list' || verb === 'watch';
    const name = isPath ? withoutVersion(told.name) : verb;
    const last = lanes.at(-1);
    const shared = isPath ? (last?.name === name ? last.steps : undefined) : ofVerb.get(verb);
    if (shared !== undefined) shared.push(told);
    else {
      const lane = { name, steps: [told] };
      lanes.push(lane);
      if (!isPath) ofVerb.set(verb, lane.steps);
    }
  });
  return lanes.map((lane) => ({
    ...lane,
    faults: [...new Set(lane.steps.flatMap(({ step }) => step.faults))],
  }));
}

/** `resumes the watch from 17, ERROR 410` without its 17. */
const withoutVersion = (name: string): string => name.replace(/ from \d+/, '');
