/** The part of the settings that is shown, and is shown again when they are opened the next time. */
import { create } from 'zustand';

export const useSection = create<{ section: string }>(() => ({ section: 'appearance' }));
