import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { STOP_MS_MAX } from '../../src/supervisor/supervision.ts';
import { readDockerfile } from './read-dockerfile.ts';

const FOLDER = fileURLToPath(new URL('../../deploy', import.meta.url));
const COMPOSE = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8').replaceAll(/ *#.*/g, '');
const IMAGE = readDockerfile(readFileSync(join(FOLDER, 'Dockerfile'), 'utf8'));

const valueOf = (name: string): string | undefined => new RegExp(`^ +${name}: (.+)$`, 'm').exec(COMPOSE)?.[1];

describe('the compose file', () => {
  it('publishes only the ports of the image, on loopback and under the same numbers', () => {
    const published = [...COMPOSE.matchAll(/^ +- (127\.0\.0\.1):(\d+):(\d+)$/gm)];
    expect(published.every(([, , outside, inside]) => outside === inside)).toBe(true);
    const exposed = IMAGE.find(({ name }) => name === 'EXPOSE')?.text;
    expect(published.map(([, , outside]) => outside).join(' ')).toBe(exposed);
    expect(COMPOSE.match(/^ +- [\d.:]+$/gm)).toHaveLength(published.length);
  });

  it('makes only the volume of the image and an in-memory scratch folder writable', () => {
    const volume = IMAGE.find(({ name }) => name === 'VOLUME')?.text;
    expect(valueOf('read_only')).toBe('true');
    expect(COMPOSE).toMatch(new RegExp(`^ +- data:${volume}$`, 'm'));
    expect(COMPOSE).toMatch(/^ {4}tmpfs:\n+ +- \/tmp:/m);
  });

  it('limits its memory and processes', () => {
    expect(valueOf('mem_limit')).toMatch(/^\dg$/);
    expect(Number(valueOf('pids_limit'))).toBeGreaterThan(100);
  });

  it('grants no privileges', () => {
    expect(valueOf('cap_drop')).toBe('[ALL]');
    expect(valueOf('security_opt')).toBe('[no-new-privileges:true]');
    expect(COMPOSE).not.toMatch(/privileged|network_mode|docker\.sock/);
  });

  it('runs only the image of this project, as the user that the image names', () => {
    expect([...COMPOSE.matchAll(/^ {4}image: (.+)$/gm)].map(([, image]) => image)).toEqual([
      'spl-private-payments',
    ]);
    expect(COMPOSE).not.toMatch(/^ +(?:user|entrypoint|command|pid|ipc|devices|cap_add):/m);
  });

  it('waits longer for the exit than the supervisor does', () => {
    expect(Number(/^(\d+)s$/.exec(valueOf('stop_grace_period') ?? '')?.[1]) * 1_000).toBeGreaterThan(
      STOP_MS_MAX,
    );
  });

  it('contains no settings, because settings with keys would end up in it too', () => {
    expect(COMPOSE).not.toMatch(/^ +environment:/m);
    expect(COMPOSE).toMatch(/^ +- path: \.env\n +required: false$/m);
  });

  it('builds the image of this repository, with its health check', () => {
    const context = join(FOLDER, valueOf('context') ?? '');
    expect(existsSync(join(context, valueOf('dockerfile') ?? ''))).toBe(true);
    expect(IMAGE.filter(({ name }) => name === 'HEALTHCHECK')).toHaveLength(1);
    expect(COMPOSE).not.toContain('healthcheck');
  });
});
