import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { useKnown } from '../parts/names.ts';
import { Sheet } from '../parts/sheet.tsx';
import { curlOf, wireLine, type Wire } from '../readers/wire.ts';

/** Lists the calls behind a card, with curl commands that repeat them. */
export function Wires({
  wires,
  title,
  onClose,
}: {
  readonly wires: readonly Wire[];
  readonly title: string;
  readonly onClose: () => void;
}) {
  const { names } = useKnown();
  return (
    <Sheet title={title} onClose={onClose}>
      <p>Everything on this card comes from these calls. Run them yourself, with or without a token.</p>
      <ul class="list">
        {wires.map((wire, at) => (
          <li key={at}>
            <span class="mono tiny">
              {wire.ledger}: {wireLine(wire, (address) => names.get(address) ?? address)}
            </span>
            <Button onClick={() => void copyText(curlOf(wire, location.origin), 'Curl')}>Copy as curl</Button>
          </li>
        ))}
      </ul>
      {wires.some(({ token }) => token !== null) ? (
        <p class="small dim">Tokens are not copied. Set your own in $TOKEN.</p>
      ) : null}
      <Button onClick={onClose}>Close</Button>
    </Sheet>
  );
}
