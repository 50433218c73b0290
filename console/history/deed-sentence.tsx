import { useKnown } from '../parts/names.ts';
import { shorten } from '../parts/short-text.ts';
import type { Deed } from './deed.ts';

/** Describes a transaction without a full stop: "Alice paid Bob". */
export function DeedSentence({ deed }: { readonly deed: Deed }) {
  const { names, owners } = useKnown();
  const party = (account: string | null) => {
    if (account === null) return 'someone';
    const address = owners.get(account) ?? account;
    return <b title={address}>{names.get(address) ?? shorten(address)}</b>;
  };
  switch (deed.kind) {
    case 'airdrop':
      return <>Faucet funded {party(deed.to)}</>;
    case 'deposit':
      return <>{party(deed.feePayer)} deposited</>;
    case 'undelegation':
      return <>{party(deed.feePayer)} undelegated</>;
    case 'settlement':
      return <>Settled the balance of {party(deed.to)}</>;
    case 'withdrawal':
      return <>{party(deed.feePayer)} withdrew</>;
    case 'payment':
    case 'other':
      if (deed.amount === null) return <>Transaction of {party(deed.feePayer)}</>;
      return (
        <>
          {party(deed.from)} paid {party(deed.to)}
        </>
      );
  }
}
