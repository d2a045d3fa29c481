// SPDX-License-Identifier: GPL-3.0-or-later
// A list whose copies share what they have in common.
#include "core/base/shared_list.h"

#include <QTest>
#include <algorithm>
#include <numeric>

using namespace gks;

namespace {

SharedList<int> numbers(std::size_t count) {
    std::vector<int> items(count);
    std::iota(items.begin(), items.end(), 1);
    return items;
}

// How many items of the two lie in the same place of the memory.
std::size_t sharedItems(const SharedList<int>& a, const SharedList<int>& b) {
    std::size_t shared = 0;
    for (std::size_t at = 0; at < std::min(a.size(), b.size()); ++at) {
        shared += &a[at] == &b[at] ? 1 : 0;
    }
    return shared;
}

} // namespace

class BaseSharedList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isReadAsAVector();
    void aCopyStaysAsItWas();
    void aChangeCopiesLittle();
    void insertsBetween();
    void resizes();
};

void BaseSharedList::isReadAsAVector() {
    const SharedList<int> list = numbers(1000);
    QCOMPARE(list.size(), std::size_t{1000});
    QVERIFY(list.front() == 1 && list.back() == 1000 && list[500] == 501);
    QCOMPARE(std::accumulate(list.begin(), list.end(), 0), 500'500);
    QCOMPARE(*std::lower_bound(list.begin(), list.end(), 700), 700);
    QCOMPARE(*std::ranges::find_if(list.rbegin(), list.rend(), [](int item) { return item % 300 == 0; }), 900);
    QCOMPARE(list.end() - list.begin(), std::ptrdiff_t{1000});
    QCOMPARE(list.begin()[999], 1000);
    static_assert(std::random_access_iterator<SharedList<int>::const_iterator>);
    QVERIFY(SharedList<int>().empty() && SharedList<int>().begin() == SharedList<int>().end());
    QVERIFY(list == numbers(1000) && list != numbers(999));
}

void BaseSharedList::aCopyStaysAsItWas() {
    SharedList<int> list = numbers(1000);
    const SharedList<int> before = list;
    list.edit(400) = 0;
    list.push_back(1001);
    list.editEach([](int& item) { item += 1; });
    QVERIFY(before == numbers(1000));
    QVERIFY(list.size() == 1001 && list[400] == 1 && list.editFront() == 2 && list.editBack() == 1002);
}

void BaseSharedList::aChangeCopiesLittle() {
    const SharedList<int> before = numbers(100'000);
    SharedList<int> list = before;
    QCOMPARE(sharedItems(before, list), std::size_t{100'000});
    list.push_back(1);
    list.edit(5) = 0;
    QVERIFY(sharedItems(before, list) > 99'000 && &before[5] != &list[5]);
    const int* own = &list[5];
    list.edit(5) = 7; // nobody else has it any more
    QVERIFY(&list[5] == own && list[5] == 7);
}

void BaseSharedList::insertsBetween() {
    SharedList<int> list = numbers(300);
    const SharedList<int> before = list;
    list.insert(100, -1);
    list.insert(list.size(), -2);
    QVERIFY(list.size() == 302 && list[99] == 100 && list[100] == -1 && list[101] == 101 && list.back() == -2);
    QVERIFY(before == numbers(300));
}

void BaseSharedList::resizes() {
    SharedList<int> list = numbers(300);
    list.resize(130);
    QVERIFY(list == numbers(130));
    list.resize(131);
    QVERIFY(list.size() == 131 && list.back() == 0);
    list.clear();
    QVERIFY(list.empty());
}

QTEST_APPLESS_MAIN(BaseSharedList)
#include "base_shared_list.moc"
