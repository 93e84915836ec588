// The operator as it runs in a cluster: of several copies one works at a time.
import { hostname } from 'node:os';
import { KubeConfig } from '@kubernetes/client-node';
import { LeaderElector } from './leader-election.js';
import { SiteOperator } from './site-operator.js';

const config = new KubeConfig();
config.loadFromDefault();
const operator = new SiteOperator(config);
const elector = new LeaderElector(config, {
  namespace: 'default',
  name: 'site-operator',
  identity: `${hostname()}-${process.pid}`,
  onStarted: () => void operator.start(),
  // Who has lost the Lease must not write any more.
  onStopped: () => process.exit(1),
});
elector.start();
