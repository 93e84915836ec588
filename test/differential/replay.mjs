/** Replays recorded exchanges with a real server, and searches a server that is known to be wrong: what tests need of this folder. */
import { connect } from './connection.mjs';
import { judge } from './judge.mjs';
import { play } from './play.mjs';
import { search } from './search.mjs';
import { PLANTS, startPlantedProxy } from './planted-proxy.mjs';

export { PLANTS };

/** The steps of a recording played on a server, compared with what was recorded. Shape: one text for each difference. */
export async function replay(place, { prefix, steps, answers, recorded }) {
  const server = connect(place);
  try {
    const played = await play([server], steps, prefix);
    const paired = played.map(({ step, answers: [ours] }) => ({
      step,
      answers: [answers.find((answer) => answer.step === step.id), ours],
    }));
    const { findings } = judge(paired, prefix, Date.now() - Date.parse(recorded));
    return findings.flatMap(({ step, signatures }) => signatures.map((one) => `step ${step.id}: ${one}`));
  } finally {
    server.close();
  }
}

/**
 * What a run finds between two equal servers of which one is behind a proxy that gives one kind of wrong answer.
 * Shape: `{ signature, steps }` of each kind of difference, `steps` of its least scenario.
 */
export async function searchPlanted(reference, candidate, plant, { seed, steps, areas }) {
  const proxy = plant === undefined ? undefined : await startPlantedProxy(candidate.url, plant);
  try {
    const { found } = await search({
      seed,
      steps,
      areas,
      places: [reference, proxy ?? candidate],
      accepted: () => false,
      shrinkings: 1,
      // Both are in this very process.
      patienceMs: 100,
    });
    return found;
  } finally {
    await proxy?.stop();
  }
}
