/** Deployments and DaemonSets: how pods are replaced. */
import { type JsonObject, type JsonValue, member, objectMember, stringMember } from '../../ground/json.js';
import { withCount } from './daemon-set.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/apps/v1/defaults.go. */
export const deploymentDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.apps.v1.DeploymentStrategy', fill: rolling('25%', '25%'), rules: ['d177'] },
  { message: 'k8s.io.api.apps.v1.DaemonSet', fill: withCount, rules: [] },
  { message: 'k8s.io.api.apps.v1.DaemonSetUpdateStrategy', fill: rolling(1, 0), rules: ['d190'] },
];

function rolling(unavailable: JsonValue, surge: JsonValue): (strategy: JsonObject) => JsonObject {
  return (strategy) => {
    const type = stringMember(strategy, 'type') ?? '';
    if (type !== '' && type !== 'RollingUpdate') return strategy;
    const given = objectMember(strategy, 'rollingUpdate');
    const maxUnavailable = member(given, 'maxUnavailable') ?? unavailable;
    const maxSurge = member(given, 'maxSurge') ?? surge;
    if (member(given, 'maxUnavailable') === maxUnavailable && member(given, 'maxSurge') === maxSurge)
      return strategy;
    return { ...strategy, rollingUpdate: { maxUnavailable, maxSurge } };
  };
}
