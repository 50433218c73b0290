import { isDeepStrictEqual } from 'node:util';
import { VARIABLES } from '../config/config.ts';
import { describeExposure } from '../config/exposure.ts';
import type { Variable } from '../config/variable.ts';
import { NOTHING_PROVIDED, type ProvisionOptions } from '../stack/provision-options.ts';
import type { Arguments } from './arguments.ts';
import { applyFlags, type Environment, readSettings } from './settings.ts';

const MASK = '********';

/**
 * Formats the settings as lines of a .env file, with secrets masked and defaults filled in. The resulting
 * exposure and the initial content of the ledger follow.
 *
 * @throws {ServiceError} CONFIG_INVALID if a start would fail with these settings.
 */
export function formatConfig(env: Environment, args: Arguments): string {
  const config = readSettings(env, args, null);
  const merged = applyFlags(env, args, null);
  const lines = Object.values<Variable<unknown>>(VARIABLES).map((variable) => {
    const text = merged[variable.name]?.trim() || variable.default;
    return `${variable.name}=${variable.isSecret === true && text !== '' ? MASK : text}`;
  });
  const exposure = `# Exposure: ${describeExposure(config)}`;
  return [...lines, exposure, ...describeProvision(args.provision), ''].join('\n');
}

function describeProvision(provision: ProvisionOptions): string[] {
  const shown = { ...provision, url: provision.url === null ? null : MASK };
  const nothing = new Map<string, unknown>(Object.entries(NOTHING_PROVIDED));
  const changed = Object.entries(shown).filter(
    ([name, value]) => !isDeepStrictEqual(value, nothing.get(name)),
  );
  return changed.length === 0
    ? []
    : [`# Initial content of the ledger: ${JSON.stringify(Object.fromEntries(changed))}`];
}
