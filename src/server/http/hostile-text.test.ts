import { testHostileTexts } from '../../../test/attacks/hostile-text.ts';

testHostileTexts({ isWhole: false });
