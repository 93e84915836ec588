/** Volumes and claims: their first phase. */
import { withPhase } from './defaults-namespace.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/core/v1/defaults.go. */
export const persistentVolumeDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.PersistentVolumeStatus', fill: withPhase('Pending'), rules: ['d160'] },
  { message: 'k8s.io.api.core.v1.PersistentVolumeClaimStatus', fill: withPhase('Pending'), rules: ['d156'] },
];
