import type { Console } from '../context/console.ts';
import type { Known } from '../parts/names.ts';
import { computed, type ReadonlySignal } from '../parts/signal.ts';
import type { Play } from '../play/flow.ts';

/** Names of the known addresses: wallets of this browser, their accounts, vaults and programs. */
export const knownBy = ({ state, wallets }: Console, play: () => Play): ReadonlySignal<Known> =>
  computed(() => {
    const { mints = [], base, commonPrograms = [] } = state.value ?? {};
    const own = wallets.names.value;
    const names = new Map<string, string>();
    const owners = new Map<string, string>();
    for (const { vault, symbol } of mints) names.set(vault, `Vault of ${symbol ?? 'the mint'}`);
    for (const { name, address } of [...commonPrograms, ...(base?.programs ?? [])]) names.set(address, name);
    for (const { wallet, ata, eata } of play().accounts.value) {
      owners.set(ata, wallet).set(eata, wallet);
      const name = own.get(wallet);
      if (name !== undefined) names.set(ata, `${name}’s token account`).set(eata, `${name}’s eATA`);
    }
    for (const [address, name] of own) names.set(address, name);
    return {
      names,
      owners,
      mints: new Map(mints.map(({ mint, symbol, decimals }) => [mint, { symbol, decimals }])),
    };
  });
