import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { Mints, Names } from '../parts/names.ts';
import { usePlay } from '../play/play-context.ts';

/** What this browser calls addresses: its wallets and their accounts, and the programs of the service. */
export function NamesAndMints({ children }: { readonly children: ComponentChildren }) {
  const { state, wallets } = useConsole();
  const accounts = usePlay().accounts.value;
  const own = wallets.names.value;
  const known = state.value;
  const names = useMemo(() => {
    const all = new Map<string, string>();
    for (const { vault, symbol } of known?.mints ?? []) all.set(vault, `Vault of ${symbol ?? 'the mint'}`);
    for (const { name, address } of [...(known?.commonPrograms ?? []), ...(known?.base.programs ?? [])])
      all.set(address, name);
    for (const { wallet, ata, eata } of accounts) {
      const name = own.get(wallet);
      if (name !== undefined) all.set(ata, `${name}’s token account`).set(eata, `${name}’s eATA`);
    }
    for (const [address, name] of own) all.set(address, name);
    return all;
  }, [known, accounts, own]);
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
