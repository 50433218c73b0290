import { quoted } from '../../../errors/quoted-text.ts';
import type { JsonObject } from '../../input/json-object.ts';
import type { LoginWish } from './asked-login.ts';

/** Which wallet a tool's answer is for, and what is told. */
type Wish = Pick<LoginWish, 'wallet' | 'cluster' | 'tells'>;

/** Tools whose answer a rollup gives to one wallet alone, which the arguments name. */
const WISHES: Readonly<Record<string, (args: JsonObject) => Omit<Wish, 'cluster'>>> = {
  'spl.getPrivateBalance': ({ address, mint }) => ({
    wallet: String(address),
    tells: `how many tokens of the mint ${String(mint)} this wallet has on the rollup now`,
  }),
  'spl.createStealthPool': ({ authority, handle }) => ({
    wallet: String(authority),
    tells: `two unsigned transactions, which set whom the stealth handle ${quoted(String(handle))} pays`,
  }),
};

/**
 * Whose login a tool needs; undefined where none helps.
 *
 * @param args as the tool has checked them.
 */
export function wishOf(tool: string, args: JsonObject): Wish | undefined {
  const wish = WISHES[tool]?.(args);
  const { cluster } = args;
  return wish && { ...wish, cluster: typeof cluster === 'string' ? cluster : undefined };
}
