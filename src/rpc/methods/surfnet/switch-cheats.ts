import { INVALID_REQUEST, RpcError } from '../../errors.ts';
import { bool, sequence, string } from '../../params/primitives.ts';
import { optional, struct } from '../../params/struct.ts';
import { untagged } from '../../params/untagged.ts';
import { defineMethod, type RpcMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { operatorOf } from './cheat-parts.ts';
import { disabledCheats } from './disabled-cheats.ts';

/** Which cheats are meant (Surfpool `CheatcodeFilter`): `all`, or a list of names. */
const cheatcodeFilter = untagged<string | readonly string[]>('CheatcodeFilter', [string, sequence(string)]);

/** Surfpool `CheatcodeControlConfig`. */
const controlConfig = struct<{ readonly lockout: boolean | undefined }>('CheatcodeControlConfig', {
  lockout: optional(bool),
});

const ENABLE = 'surfnet_enableCheatcode';
const DISABLE = 'surfnet_disableCheatcode';

/**
 * The two methods that switch cheats: `surfnet_disableCheatcode(['all' | names, { lockout? }?])` and
 * `surfnet_enableCheatcode(['all' | names])`. They stay enabled themselves unless `lockout` is true and they
 * are among the disabled ones: then nothing can be enabled again before a restart. Either all names are
 * switched, or none.
 */
export function switchMethods(others: readonly RpcMethod[]): readonly RpcMethod[] {
  const names = [...others.map(({ name }) => name), DISABLE, ENABLE];
  return [
    defineMethod(
      DISABLE,
      { required: [cheatcodeFilter], optional: [controlConfig] },
      (node, filter, config) => {
        const disabled = disabledCheats(operatorOf(node));
        const isProtected = (name: string): boolean =>
          config?.lockout !== true && (name === ENABLE || name === DISABLE);
        const wanted = namesOf(filter, 'disable', names) ?? names.filter((name) => !isProtected(name));
        const isAll = typeof filter === 'string';
        for (const [index, name] of wanted.entries()) {
          if (isProtected(name)) {
            const what = `Cannot disable ${ENABLE} or ${DISABLE} rpc method when lockout is not enabled`;
            throw refusal('disable', what);
          }
          if (!isAll && (disabled.has(name) || wanted.indexOf(name) < index)) {
            throw refusal('disable', 'Cheatcode already disabled');
          }
        }
        for (const name of wanted) disabled.add(name);
        return inContext(node, node.ledger.head().slot, null);
      },
    ),
    defineMethod(ENABLE, { required: [cheatcodeFilter], optional: [] }, (node, filter) => {
      const disabled = disabledCheats(operatorOf(node));
      const wanted = namesOf(filter, 'enable', names) ?? [...disabled];
      if (wanted.some((name, index) => !disabled.has(name) || wanted.indexOf(name) < index)) {
        throw refusal('enable', "Cheatcode isn't disabled");
      }
      for (const name of wanted) disabled.delete(name);
      return inContext(node, node.ledger.head().slot, null);
    }),
  ];
}

type Switch = 'enable' | 'disable';

/** The selected names; null for all. */
function namesOf(
  filter: string | readonly string[],
  to: Switch,
  known: readonly string[],
): readonly string[] | null {
  if (filter === 'all') return null;
  if (typeof filter === 'string') {
    const verb = to === 'enable' ? 'enabling' : 'disabling';
    throw refusal(
      to,
      `Invalid option provided for ${verb} all cheatcodes. Try using 'all' or providing an array of specific cheatcodes`,
    );
  }
  if (filter.every((name) => known.includes(name))) return filter;
  throw refusal(to, 'Invalid cheatcode rpc method');
}

/** As in Surfpool, the reason is in `data`. */
function refusal(to: Switch, what: string): RpcError {
  return new RpcError(INVALID_REQUEST, 'Invalid request', `Unable to ${to} cheatcode: ${what}`);
}
