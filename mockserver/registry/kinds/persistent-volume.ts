/** PersistentVolumes: since when they are in their phase. */
import { formatTime } from '../../ground/clock.js';
import { member, objectMember } from '../../ground/json.js';
import { EMPTY } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';

/** Source: kubernetes registry/core/persistentvolume/strategy.go. */
export const persistentVolumeRules: KindRules = {
  group: '',
  resource: 'persistentvolumes',
  prepareForCreate: (object, { clock }) => ({
    ...object,
    status: { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.now()) },
  }),

  prepareForUpdate(next, previous, { subresource }, { clock }) {
    if (subresource !== 'status') return next;
    const [status, before] = [objectMember(next, 'status') ?? EMPTY, objectMember(previous, 'status')];
    const [given, known] = [
      member(status, 'lastPhaseTransitionTime'),
      member(before, 'lastPhaseTransitionTime'),
    ];
    const moved = member(status, 'phase') !== member(before, 'phase');
    if (!moved) {
      if (given !== undefined || known === undefined) return next;
      return { ...next, status: { ...status, lastPhaseTransitionTime: known } };
    }
    if (given !== undefined && given !== known) return next;
    return { ...next, status: { ...status, lastPhaseTransitionTime: formatTime(clock.now()) } };
  },
};
