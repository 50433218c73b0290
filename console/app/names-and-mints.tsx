import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Mints, Names } from '../parts/names.ts';
import { deriveVault } from '../solana/addresses.ts';
import { usePlay } from '../play/play-context.ts';

/** What this browser calls addresses: its wallets and their accounts, and the programs of the service. */
export function NamesAndMints({ children }: { readonly children: ComponentChildren }) {
  const { state, wallets } = useConsole();
  const accounts = usePlay().accounts.value;
  const own = wallets.names.value;
  const known = state.value;
  const [vaults, setVaults] = useState<readonly (readonly [address: string, name: string])[]>([]);
  useEffect(() => {
    const named = (known?.mints ?? []).map(
      async ({ mint, symbol }) => [await deriveVault(mint), `Vault of ${symbol ?? 'the mint'}`] as const,
    );
    // Without a secure origin there is no hash to derive with: vaults then have no names.
    Promise.all(named).then(setVaults, () => undefined);
  }, [known]);
  const names = useMemo(() => {
    const all = new Map<string, string>(vaults);
    for (const { name, address } of known?.base.programs ?? []) all.set(address, name);
    for (const { wallet, ata, eata } of accounts) {
      const name = own.get(wallet);
      if (name !== undefined) all.set(ata, `${name}’s token account`).set(eata, `${name}’s eATA`);
    }
    for (const [address, name] of own) all.set(address, name);
    return all;
  }, [known, vaults, accounts, own]);
  const mints = useMemo(
    () => new Map((known?.mints ?? []).map(({ mint, symbol, decimals }) => [mint, { symbol, decimals }])),
    [known],
  );
  return (
    <Names.Provider value={names}>
      <Mints.Provider value={mints}>{children}</Mints.Provider>
    </Names.Provider>
  );
}
