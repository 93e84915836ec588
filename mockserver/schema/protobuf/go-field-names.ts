/** Names of Go struct fields, which decoding errors show in the place of a message's own. */

/** Words that Go writes in capitals where a name begins with them. */
const INITIALS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['API', 'AWS', 'CA', 'CEL', 'CIDR', 'CPU', 'CSI', 'DNS', 'FC', 'FS', 'GCE', 'GID', 'GMSA', 'GRPC'],
    ...['HTTP', 'HTTPS', 'ID', 'IP', 'IQN', 'ISCSI', 'JSON', 'NFS', 'OS', 'PD', 'PID', 'PKIX', 'QOS', 'RBD'],
    ...['SE', 'SSL', 'TCP', 'TLS', 'TTL', 'TTY', 'UID', 'URL', 'CIDRs', 'IPs', 'WWIDs'],
  ].map((word) => [word.toLowerCase(), word]),
);

/** Names that follow no rule, by message and field. */
const IRREGULAR: Readonly<Record<string, string>> = {
  'AdmissionResponse.status': 'Result',
  'APIResourceList.resources': 'APIResources',
  'AzureDiskVolumeSource.diskURI': 'DataDiskURI',
  'ContainerStatus.lastState': 'LastTerminationState',
  'DeviceAttribute.bool': 'BoolValue',
  'DeviceAttribute.bools': 'BoolValues',
  'DeviceAttribute.int': 'IntValue',
  'DeviceAttribute.ints': 'IntValues',
  'DeviceAttribute.string': 'StringValue',
  'DeviceAttribute.strings': 'StringValues',
  'DeviceAttribute.version': 'VersionValue',
  'DeviceAttribute.versions': 'VersionValues',
  'Event.reportingComponent': 'ReportingController',
  'GlusterfsPersistentVolumeSource.endpoints': 'EndpointsName',
  'GlusterfsVolumeSource.endpoints': 'EndpointsName',
  'ISCSIPersistentVolumeSource.chapAuthDiscovery': 'DiscoveryCHAPAuth',
  'ISCSIPersistentVolumeSource.chapAuthSession': 'SessionCHAPAuth',
  'ISCSIVolumeSource.chapAuthDiscovery': 'DiscoveryCHAPAuth',
  'ISCSIVolumeSource.chapAuthSession': 'SessionCHAPAuth',
  'NodeSpec.externalID': 'DoNotUseExternalID',
  'PersistentVolumeSource.cephfs': 'CephFS',
  'PersistentVolumeSource.storageos': 'StorageOS',
  'PodSpec.serviceAccount': 'DeprecatedServiceAccount',
  'Probe.handler': 'ProbeHandler',
  'RBDPersistentVolumeSource.image': 'RBDImage',
  'RBDPersistentVolumeSource.monitors': 'CephMonitors',
  'RBDPersistentVolumeSource.pool': 'RBDPool',
  'RBDPersistentVolumeSource.user': 'RadosUser',
  'RBDVolumeSource.image': 'RBDImage',
  'RBDVolumeSource.monitors': 'CephMonitors',
  'RBDVolumeSource.pool': 'RBDPool',
  'RBDVolumeSource.user': 'RadosUser',
  'StatusCause.reason': 'Type',
  'SubjectAccessReviewSpec.group': 'Groups',
  'VolumeSource.cephfs': 'CephFS',
  'VolumeSource.storageos': 'StorageOS',
};

/**
 * The Go name of a field, by the names that the table has.
 *
 * @param struct last part of the message's name
 * @param type of the field: an embedded struct is named after it
 */
export function goFieldName(struct: string, protobufName: string, type: string): string {
  const path = `${struct}.${protobufName}`;
  if (Object.hasOwn(IRREGULAR, path)) return IRREGULAR[path] ?? '';
  if (protobufName === 'metadata' && /\.(?:ObjectMeta|ListMeta)$/.test(type))
    return type.slice(type.lastIndexOf('.') + 1);
  const name = protobufName.replace(/^xKubernetes/, 'x');
  const word = /^[a-z]+/.exec(name)?.[0] ?? '';
  const first = Object.hasOwn(INITIALS, word) ? INITIALS[word] : undefined;
  const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return first === undefined ? capital : `${first}${name.slice(word.length)}`;
}
