import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/supervisor/exit-codes.ts';
import { STOP_MS_MAX } from '../../src/supervisor/supervision.ts';

const UNIT = fileURLToPath(new URL('../../deploy/systemd/spl-private-payments.service', import.meta.url));

const settings = new Map(
  Array.from(readFileSync(UNIT, 'utf8').matchAll(/^([A-Z]\w+)=(.*)$/gm), ([, name = '', value = '']) => [
    name,
    value,
  ]),
);

const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit', () => {
  it('restarts the service after temporary failures, but not after failures that need a fix', () => {
    const { done, fault, gaveUp, held, config } = EXIT_CODES;
    const prevented = settings.get('RestartPreventExitStatus')?.split(' ').map(Number);
    expect(settings.get('Restart')).toBe('on-failure');
    expect(prevented).toEqual([gaveUp, config]);
    for (const code of [done, fault, held]) expect(prevented).not.toContain(code);
  });

  it('restarts slowly enough that systemd does not give up (5 starts in 10 s, systemd-system.conf)', () => {
    expect(Number(settings.get('RestartSec')) * 5).toBeGreaterThan(10);
  });

  it('waits longer for the exit than the supervisor does', () => {
    expect(Number(settings.get('TimeoutStopSec')) * 1_000).toBeGreaterThan(STOP_MS_MAX);
    expect(settings.get('KillMode')).toBe('mixed');
  });

  it('lets the service write only to its folders', () => {
    expect(settings.get('ProtectSystem')).toBe('strict');
    expect(settings.get('Environment')).toContain(`DATA_DIR=%S/${settings.get('StateDirectory')}/`);
    expect(settings.get('WorkingDirectory')).toBe(`%S/${settings.get('StateDirectory')}`);
    expect(settings.get('Environment')).toMatch(/ XDG_CACHE_HOME=%C$/);
    expect(settings.get('CacheDirectory')).toBe('spl-private-payments');
  });

  it('grants no privileges except writable and executable memory, which compilers need', () => {
    expect(settings.get('NoNewPrivileges')).toBe('yes');
    expect(settings.get('CapabilityBoundingSet')).toBe('');
    expect(settings.has('MemoryDenyWriteExecute')).toBe(false);
  });

  it.skipIf(!isInstalled)('has an exposure of 1.5 at most (needs systemd-analyze)', () => {
    const args = ['security', '--offline=true', '--threshold=15', UNIT];
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(status, stdout.slice(-200)).toBe(0);
  });

  it.skipIf(!isInstalled)('is accepted by systemd (needs systemd-analyze)', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
    // Where the machine has no /usr/bin/node it says that the command is missing, which is no fault of the unit.
    expect(
      stderr.split('\n').filter((line) => line.includes(UNIT) && !line.includes('is not executable')),
    ).toEqual([]);
    expect(status === 0 || stderr.includes('is not executable')).toBe(true);
  });
});
