import { HostileText } from '../parts/hostile-text.tsx';

/** A text to sign, line by line, so that line ends stay line ends and nothing else is hidden. */
export function ChallengeText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, at) => (
        <div key={at}>
          <HostileText text={line} />
        </div>
      ))}
    </>
  );
}
