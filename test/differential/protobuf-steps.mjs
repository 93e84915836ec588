/** Steps as typed Go clients send them: bodies and answers in protobuf. */
import { PROTOBUF } from './protobuf.mjs';

const ACCEPTS = {
  [PROTOBUF]: 10,
  [`${PROTOBUF},application/json`]: 6,
  [`${PROTOBUF}, */*`]: 1,
  [`${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json`]: 2,
  [`${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`]: 2,
  [`${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`]: 0.5,
  [`application/json;q=0.5,${PROTOBUF}`]: 0.5,
  'application/json': 1,
};
const BROKEN_SHARE = 0.06;
const NEVER_LONGER = 60_000;

/**
 * The same step in protobuf; patches keep their body, which has no such form.
 * @param {import('./random.mjs').Random} random
 * @param {Partial<import('./play.mjs').Step>} step
 */
export function inProtobuf(random, step) {
  if (step.op === 'close') return step;
  const headers = { ...step.headers, accept: random.weighted(ACCEPTS) };
  const { body } = step;
  const formed = body !== undefined && !('raw' in body) && headers['content-type'] === 'application/json';
  if (!formed || JSON.stringify(body).length > NEVER_LONGER || random.chance(0.1))
    return { ...step, headers };
  return {
    ...step,
    headers: { ...headers, 'content-type': PROTOBUF },
    ...(random.chance(BROKEN_SHARE) ? { broken: broken(random) } : {}),
  };
}

const broken = (random) =>
  random.chance(0.5)
    ? { keep: random.below(100) / 100 }
    : { at: random.below(100) / 100, byte: random.pick([0, 1, 0x7f, 0xff]) };
