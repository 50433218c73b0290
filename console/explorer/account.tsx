import type { ComponentChildren } from 'preact';
import { Address } from '../parts/address.tsx';
import { MintAmount, Sol } from '../parts/amount.tsx';
import type { AccountField, AccountInWords } from '../../src/console/answers.ts';
import { useLoaded, Await } from '../parts/loaded.tsx';
import { Copy } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import { HostileText } from '../parts/hostile-text.tsx';
import { Identicon } from '../parts/identicon.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { LedgerMark, Tag } from '../parts/status.tsx';
import { Void } from '../parts/private-amount.tsx';
import type { Ledger, Reader } from '../parts/reader.ts';
import { shorten } from '../parts/short-text.ts';
import { AccountHistory } from './account-history.tsx';
import { absentWords, askSides, drawnOf, type Side, type BothSides, fieldOf } from './account-sides.ts';
import { ReaderTag } from './missing.tsx';

interface AccountViewProps {
  readonly ledger: Ledger;
  readonly address: string;
  readonly reader: Reader;
}

/** One account: decoded data of both ledgers, and its transactions. */
export function AccountView(props: AccountViewProps) {
  const { address, reader } = props;
  const loaded = useLoaded(() => askSides(address, reader), [reader, address]);
  return (
    <div class="col">
      <section class="card" aria-label="Account">
        <Await result={loaded} rows={6}>
          {(sides) => <Sides {...props} sides={sides} />}
        </Await>
      </section>
      <AccountHistory {...props} />
    </div>
  );
}

function Sides({ ledger, address, reader, sides }: AccountViewProps & { readonly sides: BothSides }) {
  const { side, elsewhere } = drawnOf(ledger, sides);
  if (side !== null) {
    return (
      <ShownSide ledger={ledger} reader={reader} sides={sides} side={side}>
        <Identicon address={address} size={20} />
        <h1 class="h2">
          {side.decoded.title} <span class="dim mono">{shorten(address, 6)}</span>{' '}
          <Copy text={address} what="address" />
        </h1>
      </ShownSide>
    );
  }
  return (
    <>
      <Absent ledger={ledger} address={address} reader={reader} elsewhere={elsewhere?.ledger ?? null} />
      {elsewhere === null ? null : (
        <ShownSide ledger={elsewhere.ledger} reader={reader} sides={sides} side={elsewhere.side}>
          <LedgerMark ledger={elsewhere.ledger} />
          <h2>
            {elsewhere.ledger === 'base' ? 'On base' : 'On the rollup'}: {elsewhere.side.decoded.title}
          </h2>
        </ShownSide>
      )}
    </>
  );
}

interface ShownSideProps extends RowsOf {
  readonly children: ComponentChildren;
}

/** The account on one ledger. */
function ShownSide({ children, ...shown }: ShownSideProps) {
  const { reader, sides, side } = shown;
  const isPrivate = reader.as === 'owner' && sides.rollup !== null;
  return (
    <>
      <header>
        {children}
        {isPrivate ? <Tag kind="own">read with a token</Tag> : <ReaderTag reader={reader} />}
      </header>
      <div class="pad">
        <KeyValue rows={rowsOf(shown)} />
      </div>
      <details>
        <summary>
          Raw bytes<span class="dim">{formatCount(atob(side.account.data[0]).length)}</span>
        </summary>
        <pre class="bytes-raw" tabIndex={0}>
          {side.account.data[0].slice(0, 20_000)}
        </pre>
      </details>
    </>
  );
}

interface AbsentProps extends AccountViewProps {
  /** The other ledger if it has the account, which is shown below. */
  readonly elsewhere: Ledger | null;
}

function Absent({ ledger, address, reader, elsewhere }: AbsentProps) {
  const [title, text] = absentWords(ledger, reader.as, elsewhere);
  return (
    <>
      <header>
        <h1 class="h2">
          Account <span class="dim mono">{shorten(address, 6)}</span> <Copy text={address} what="address" />
        </h1>
        <ReaderTag reader={reader} />
      </header>
      <div class="empty">
        {ledger === 'rollup' && reader.as !== 'base' ? <Void /> : null}
        <b>{title}</b>
        {text}
      </div>
    </>
  );
}

interface RowsOf {
  readonly ledger: Ledger;
  readonly reader: Reader;
  readonly sides: BothSides;
  readonly side: Side;
}

function rowsOf({ ledger, reader, sides, side }: RowsOf): (readonly [string, ComponentChildren])[] {
  const { decoded, account } = side;
  const balance = decoded.kind === 'eata' ? balances(sides, reader) : [];
  const fields =
    'fields' in decoded ? decoded.fields.filter(({ name }) => balance.length === 0 || name !== 'amount') : [];
  return [
    ...fields.map(
      (field) => [field.label, <Value field={field} decoded={decoded} ledger={ledger} />] as const,
    ),
    ...balance,
    ...('bytes' in decoded
      ? [['Contents', `${formatCount(decoded.bytes)} bytes, not decoded`] as const]
      : []),
    ['Owner program', <Address address={account.owner} ledger={ledger} />] as const,
    [
      'Size and rent',
      <span class="row wrap">
        {formatCount(atob(account.data[0]).length)} bytes · <Sol lamports={BigInt(account.lamports)} />
      </span>,
    ] as const,
    ...(account.executable ? [['Program', 'executable'] as const] : []),
  ];
}

/** The balance as of the last settlement, and the current one if the reader can see it. */
function balances(sides: BothSides, reader: Reader): (readonly [string, ComponentChildren])[] {
  const onBase = sides.base === null ? undefined : fieldOf(sides.base.decoded, 'amount');
  const mint = sides.base === null ? undefined : fieldOf(sides.base.decoded, 'mint');
  const now = sides.rollup === null ? undefined : fieldOf(sides.rollup.decoded, 'amount');
  if (onBase === undefined || mint === undefined) return [];
  return [
    [
      'Balance on base',
      <>
        <MintAmount base={BigInt(onBase)} mint={mint} />{' '}
        <span class="dim small">as of the last settlement, slot {formatCount(sides.base?.slot ?? 0)}</span>
      </>,
    ],
    [
      'Balance now',
      now !== undefined ? (
        <span class="own">
          <MintAmount base={BigInt(now)} mint={mint} />
        </span>
      ) : reader.as === 'base' ? (
        <span class="dim">unknown on base</span>
      ) : (
        <>
          <Void /> <span class="dim small">account not found</span>
        </>
      ),
    ],
  ];
}

interface ValueProps {
  readonly field: AccountField;
  readonly decoded: AccountInWords;
  readonly ledger: Ledger;
}

function Value({ field, decoded, ledger }: ValueProps) {
  const { value, type } = field;
  if (value === null) return <span class="dim">none</span>;
  if (type === 'address') return <Address address={value} ledger={ledger} copy />;
  if (type === 'amount') {
    const mint = fieldOf(decoded, 'mint');
    return mint === undefined ? (
      <>{formatCount(BigInt(value))}</>
    ) : (
      <MintAmount base={BigInt(value)} mint={mint} />
    );
  }
  if (type === 'bytes') {
    return (
      <span class="mono small">
        <HostileText text={value} />
      </span>
    );
  }
  return <HostileText text={value} />;
}
