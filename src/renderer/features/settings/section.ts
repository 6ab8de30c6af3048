/** Section of the settings that is shown, also when they are opened again. */
import { create } from 'zustand';

export const useSettingsSection = create<{ section: string }>(() => ({ section: 'appearance' }));
