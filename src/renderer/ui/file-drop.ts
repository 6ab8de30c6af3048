import { type DragEvent, useState } from 'react';

/**
 * Returns handlers for files dropped on an element; `over` is true while files are dragged over it.
 * @param take handles the files; returns false to leave them to enclosing elements.
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
