// `npm audit` of what the package brings along, where the registry offers it. Says "skipped" in one line where it does not.
import { spawnSync } from 'node:child_process';

const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev'], {
  encoding: 'utf8',
  env: { ...process.env, npm_config_audit: 'true', npm_config_loglevel: 'error' },
  shell: process.platform === 'win32',
});
if (/audit endpoint returned an error|ENOAUDIT/.test(stderr)) {
  console.log('skipped: audit: this registry offers none');
} else {
  process.stdout.write(stdout);
  console.log(`audit: ${status === 0 ? 1 : 0} list ran, ${status === 0 ? 0 : 1} failed`);
  process.exitCode = status ?? 1;
}
