import { LifeView } from '../life/life.tsx';
import type { Viewpoint } from '../parts/reader.ts';
import { usePlay } from '../play/play-context.ts';

export interface LifePlaceProps {
  readonly id: string;
  readonly onLook: (as: Viewpoint) => void;
}

/** The life of a payment, with what this tab knows of it. */
export function LifePlace({ id, onLook }: LifePlaceProps) {
  const play = usePlay();
  const activity = play.activity.value;
  return (
    <LifeView
      id={id}
      accounts={play.accounts.value}
      ownPayment={play.progress.value.paid?.signature ?? null}
      settling={activity.kind === 'settling' ? activity.wallet : null}
      onOwner={() => onLook('owner')}
    />
  );
}
