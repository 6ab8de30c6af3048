import { type DragEvent, useState } from 'react';

/**
 * Takes files that are dropped on an element, by its handlers; `over` is true while they are held above it.
 * @param take returns false to leave them to the elements around.
 */
export function useFileDrop(take: (dropped: DataTransfer) => boolean | undefined) {
  const [over, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event) || take(event.dataTransfer) === false) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  return { over, handlers };
}
