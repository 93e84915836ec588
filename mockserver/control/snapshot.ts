/** A cluster's objects as its user keeps them, to go back to or to begin other clusters with. */
import { type ClusterImage } from '../registry/cluster-image.js';

export class Snapshot {
  readonly image: ClusterImage;
  readonly kubernetesVersion: string;

  /** Made by `snapshot()` of a cluster. */
  constructor(image: ClusterImage, kubernetesVersion: string) {
    this.image = image;
    this.kubernetesVersion = kubernetesVersion;
  }

  /** As clients see it: the resourceVersion of a list at that moment. */
  get resourceVersion(): string {
    return String(this.image.store.revision);
  }
}
