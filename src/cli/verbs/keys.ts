import { resolve } from 'node:path';
import { VARIABLES } from '../../config/config.ts';
import { parseInteger } from '../../config/variable.ts';
import { findNearestName } from '../../errors/nearest-name.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { systemClock } from '../../ports/clock.ts';
import { systemRandom } from '../../ports/random.ts';
import type { ApiKeyStore, StoredKey } from '../../service/auth/api-key-store.ts';
import { KEY_PREFIX, KEYS_MAX, makeApiKey } from '../../service/auth/api-keys.ts';
import { SCOPES } from '../../service/auth/scopes.ts';
import { openApiKeyStore } from '../../stack/shared-state.ts';
import { ledgerFolderOf } from '../settings.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit, VerbFailure } from './verb-failure.ts';

/** Runs `keys create --name NAME`, `keys list` or `keys revoke NAME|ID`. */
export async function runKeys(call: VerbCall): Promise<VerbExit> {
  const [action, key] = call.words;
  if (action === 'create' && key === undefined) return await withStore(call, true, await create(call));
  if (action === 'list' && key === undefined) return await withStore(call, false, list(call));
  if (action === 'revoke' && key !== undefined) return await withStore(call, false, revoke(call, key));
  throw unusable('keys needs create --name NAME, list, or revoke with the name or ID of a key');
}

/** Works with the keys. `place` describes their store, because a service with another one rejects them. */
type Work = (store: ApiKeyStore, place: string) => Promise<void>;

/** Runs `work` with the store that a service with the same settings uses. */
async function withStore(call: VerbCall, isNew: boolean, work: Work): Promise<VerbExit> {
  const { name, parse } = VARIABLES.stateUrl;
  const text = call.terminal.env[name]?.trim() ?? '';
  if (text !== '' && call.has('data-dir')) {
    throw unusable(`--data-dir and ${name} both say where the keys are stored: remove one of them`);
  }
  const folder = resolve(call.valueOf('data-dir') ?? ledgerFolderOf(call.terminal.env));
  const store = await openApiKeyStore(readUrl(name, text, parse), folder, isNew);
  try {
    await work(store, text === '' ? folder : `the database at ${name}`);
  } catch (error) {
    throw text === '' ? error : ofDatabase(error);
  } finally {
    await store.close();
  }
  return 'done';
}

function readUrl<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw unusable(`${name} ${(error as Error).message}`);
  }
}

/** Describes an error of the database. The database's own message can contain the user and the host. */
function ofDatabase(error: unknown): unknown {
  const { code } = error as { readonly code?: unknown };
  if (isServiceError(error) || error instanceof VerbFailure || typeof code !== 'string') return error;
  return new VerbFailure(
    'unavailable',
    'STATE_UNAVAILABLE',
    `The database at ${VARIABLES.stateUrl.name} cannot be used (${code}): check that it runs and admits this user`,
  );
}

/** A name that cannot be mistaken for an ID. */
const NAME = new RegExp(`^(?!${KEY_PREFIX})[A-Za-z0-9][\\w.-]{0,63}$`);

async function create(call: VerbCall): Promise<Work> {
  const name = call.valueOf('name');
  if (name === undefined || !NAME.test(name)) {
    throw unusable(
      `keys create needs --name with 1 to 64 letters, digits, ".", "_" or "-" that does not start with ${KEY_PREFIX}`,
    );
  }
  const terms = { name, scopes: await readScopes(call), rate: readRate(call) };
  return async (store, place) => {
    if ((await store.list()).length >= KEYS_MAX) {
      throw refused(
        'KEYS_FULL',
        `There are already ${KEYS_MAX} keys: revoke some, or use OAuth for many callers`,
      );
    }
    const { key, stored } = makeApiKey(terms, { random: systemRandom, clock: systemClock });
    if (!(await store.add(stored))) {
      throw refused(
        'KEY_EXISTS',
        `A key with the name ${name} exists: choose another name, or revoke that key`,
      );
    }
    if (!call.has('json')) {
      call.terminal.log(`Store this key now. It cannot be shown again. Its digest is stored in ${place}.\n`);
    }
    call.report({ ...shown(stored), key }, [key]);
  };
}

const list =
  (call: VerbCall): Work =>
  async (store) => {
    const keys = await store.list();
    if (keys.length > 0 || call.has('json')) call.report({ keys: keys.map(shown) }, keys.map(lineOf));
    else call.terminal.log('There are no API keys.\n');
  };

const revoke =
  (call: VerbCall, nameOrId: string): Work =>
  async (store) => {
    const key = await store.revoke(nameOrId);
    if (key === undefined) {
      throw refused('KEY_NOT_FOUND', `No key has the name or ID ${nameOrId}: "keys list" shows them`);
    }
    call.report(shown(key), [`revoked ${key.name} (${key.id})`]);
  };

const refused = (code: string, message: string): VerbFailure => new VerbFailure('refused', code, message);

async function readScopes(call: VerbCall): Promise<readonly string[]> {
  const text = call.valueOf('scopes');
  if (text === undefined) return SCOPES;
  const { scopedNames } = await import('../../stack/operations.ts');
  const known = [...SCOPES, ...scopedNames()];
  const scopes = text.split(',').map((scope) => scope.trim());
  for (const scope of scopes) {
    if (known.includes(scope)) continue;
    const nearest = findNearestName(scope, known);
    const fix =
      nearest === undefined ? `use ${SCOPES.join(', ')} or names of tools` : `did you mean ${nearest}?`;
    throw unusable(`--scopes names ${JSON.stringify(scope)}, which is not a scope: ${fix}`);
  }
  return scopes;
}

function readRate(call: VerbCall): number | null {
  const text = call.valueOf('rate');
  return text === undefined ? null : readUrl('--rate', text, parseInteger(1, 1_000_000));
}

/** Returns what may be shown of a key. Its digest stays in the store. */
function shown({ id, name, scopes, rate, createdAt }: StoredKey) {
  // oxlint-disable-next-line no-restricted-globals -- formats a date and reads no clock
  return { id, name, scopes, rate, createdAt: new Date(createdAt).toISOString() };
}

function lineOf(key: StoredKey): string {
  const { id, name, scopes, rate, createdAt } = shown(key);
  return [id, name, scopes.join(','), rate === null ? '-' : `${rate}/s`, createdAt].join('  ');
}
