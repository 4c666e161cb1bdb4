import { testHostileTexts } from '../attacks/hostile-text.ts';

testHostileTexts({ isWhole: true });
