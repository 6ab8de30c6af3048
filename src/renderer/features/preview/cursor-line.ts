import { useEffect, useState } from 'react';
import { usePreview } from './view.ts';

/** The line of the cursor, followed; null while no file is shown. */
export function useCursorLine(): number | null {
  const made = usePreview((state) => state.made);
  const file = usePreview((state) => state.file);
  const [line, setLine] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file has its cursor elsewhere
  useEffect(() => {
    if (!made) return;
    setLine(made.getPosition()?.lineNumber ?? null);
    const following = made.onDidChangeCursorPosition(({ position }) =>
      setLine(position.lineNumber),
    );
    return () => following.dispose();
  }, [made, file]);
  return file ? line : null;
}
