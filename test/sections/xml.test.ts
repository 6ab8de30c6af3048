import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

test('splits a project of Maven by elements to depth two', () => {
  const text = lines(
    '<?xml version="1.0"?>',
    '<!--',
    '  A <license>.',
    '-->',
    '',
    '<project xmlns="x"',
    '         a=">">',
    '  <!-- Its version. -->',
    '  <version>1.0</version>',
    '  <dependencies>',
    '    <dependency>',
    '      <groupId>org.junit</groupId>',
    '      <artifactId>junit</artifactId>',
    '      <scope>test</scope>',
    '    </dependency>',
    '    <dependency>',
    '      <artifactId>guava</artifactId>',
    '      <exclusions><exclusion><artifactId>jsr</artifactId></exclusion></exclusions>',
    '    </dependency>',
    '  </dependencies>',
    '  <build><![CDATA[<plugins>]]><finalName>shop</finalName></build>',
    '</project>',
  );
  assert.deepEqual(outlineSections('pom.xml', text), [
    '1-7 pom.xml',
    '8-9 version',
    '10-15 dependencies > dependency junit [groupId, artifactId, junit, scope]',
    '16-20 dependencies > dependency guava [artifactId, guava, exclusions, exclusion]',
    '21-22 build [finalName]',
  ]);
});

test('names elements by their attributes', () => {
  const text = lines(
    '<resources xmlns:android="x">',
    '  <string name="app_name">Shop</string>',
    '  <style name=\'Theme.Shop\' parent="Base">',
    '    <item name="colorAccent">#fff</item>',
    '  </style>',
    '  <view android:id="@+id/list"/>',
    '</resources>',
  );
  assert.deepEqual(outlineSections('app/src/main/res/values/strings.xml', text), [
    '1-2 string app_name [app_name]',
    '3-5 style Theme.Shop > item colorAccent [Theme.Shop, colorAccent]',
    '6-7 view @+id/list [@+id/list]',
  ]);
});

test('names the properties of a list of Apple', () => {
  const text = lines(
    '<!DOCTYPE plist PUBLIC "x" "y">',
    '<plist version="1.0">',
    '<dict>',
    '  <key>CFBundleName</key>',
    '  <string>Shop</string>',
    '  <key>NSAppTransportSecurity</key>',
    '  <dict>',
    '    <key>NSAllowsArbitraryLoads</key>',
    '    <true/>',
    '  </dict>',
    '</dict>',
    '</plist>',
  );
  assert.deepEqual(outlineSections('Info.plist', text), [
    '1-5 CFBundleName',
    '6-12 NSAppTransportSecurity [NSAllowsArbitraryLoads]',
  ]);
});

test('reads tags without end, and text that is no XML', () => {
  assert.deepEqual(outlineSections('a.xml', '<a>\n<b>\n<c d="\n'), ['1-3 b']);
  assert.deepEqual(outlineSections('a.xml', '<<<< 1 < 2 >\nno <!-- xml'), ['1-2 a.xml']);
});
