// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/handles.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace openqnn::runtime {
namespace {

std::atomic<int> g_alive{0};

struct Apple : Object {
  static constexpr Kind kKind = Kind::kGraph;
  explicit Apple(int number_) : number(number_) { ++g_alive; }
  ~Apple() override { --g_alive; }
  const int number;
};
struct Pear : Object {
  static constexpr Kind kKind = Kind::kContext;
};

void* insert(HandleTable& table, int number = 0) {
  return table.insert(Apple::kKind, std::make_unique<Apple>(number));
}

void* with_bits(void* handle, uint64_t mask, uint64_t bits) {
  return reinterpret_cast<void*>((reinterpret_cast<uint64_t>(handle) & ~mask) | bits);  // NOLINT: a token
}

TEST(Handles, AHandleFindsItsObject) {
  HandleTable table;
  void* one = insert(table, 1);
  void* two = insert(table, 2);
  EXPECT_NE(one, two);
  EXPECT_EQ(table.acquire<Apple>(one)->number, 1);
  EXPECT_EQ(table.acquire<Apple>(two)->number, 2);
}

TEST(Handles, AStaleHandleIsRecognised) {
  HandleTable table;
  void* handle = insert(table);
  EXPECT_TRUE(table.remove<Apple>(handle));
  EXPECT_FALSE(table.acquire<Apple>(handle));
  EXPECT_FALSE(table.remove<Apple>(handle)) << "freed twice";
}

TEST(Handles, ASlotUsedAgainDoesNotReviveTheOldHandle) {
  HandleTable table;
  std::set<void*> old;
  for (int i = 0; i < 100; ++i) {
    void* handle = insert(table, i);
    EXPECT_TRUE(old.insert(handle).second) << "a handle came twice";
    for (void* stale : old) ASSERT_EQ(static_cast<bool>(table.acquire<Apple>(stale)), stale == handle);
    table.remove<Apple>(handle);
  }
}

TEST(Handles, ASlotIsGivenUpBeforeItsGenerationsRepeat) {
  HandleTable table;
  void* const first = insert(table);
  ASSERT_TRUE(table.remove<Apple>(first));
  constexpr int kGenerations = 1 << 20;
  for (int i = 0; i < kGenerations + 10; ++i) {
    void* const handle = insert(table);
    ASSERT_NE(handle, first);
    ASSERT_TRUE(table.remove<Apple>(handle));
  }
}

TEST(Handles, AHandleOfAnotherKindIsRefused) {
  HandleTable table;
  void* handle = insert(table);
  EXPECT_FALSE(table.acquire<Pear>(handle));
  EXPECT_FALSE(table.remove<Pear>(handle));
  EXPECT_TRUE(table.acquire<Apple>(handle)) << "and is still alive";
}

// The kind is checked against the slot too, not only against the bits of the token.
TEST(Handles, ForgedKindBitsAreRefused) {
  HandleTable table;
  void* handle = insert(table, 5);
  void* forged = with_bits(handle, uint64_t{0xFF} << 40, uint64_t{static_cast<uint8_t>(Pear::kKind)} << 40);
  EXPECT_FALSE(table.acquire<Pear>(forged));
  EXPECT_FALSE(table.remove<Pear>(forged));
  EXPECT_EQ(g_alive, 1);
  EXPECT_EQ(table.acquire<Apple>(handle)->number, 5);
  EXPECT_TRUE(table.remove<Apple>(handle));
  EXPECT_EQ(g_alive, 0) << "a refused lookup kept its reference";
}

TEST(Handles, ForgedSlotsAndGenerationsAreRefused) {
  HandleTable table;
  void* handle = insert(table);
  EXPECT_FALSE(table.acquire<Apple>(with_bits(handle, 0xFFFFF, 1))) << "a slot of the chunk never used";
  EXPECT_FALSE(table.acquire<Apple>(with_bits(handle, 0xFFFFF, 0xFFFFF))) << "a chunk never made";
  EXPECT_FALSE(table.acquire<Apple>(with_bits(handle, 0xFFFFFULL << 20, 2ULL << 20)));
  EXPECT_FALSE(table.acquire<Apple>(nullptr));
  EXPECT_FALSE(table.acquire<Apple>(&table)) << "an address";
}

TEST(Handles, AnotherTablesHandleIsForeign) {
  HandleTable ours;
  HandleTable theirs;
  insert(ours);
  EXPECT_FALSE(ours.acquire<Apple>(insert(theirs)));
}

TEST(Handles, AnObjectInUseOutlivesItsHandle) {
  HandleTable table;
  void* handle = insert(table, 9);
  {
    Ref<Apple> first = table.acquire<Apple>(handle);
    Ref<Apple> second = table.acquire<Apple>(handle);
    EXPECT_TRUE(table.remove<Apple>(handle));
    EXPECT_FALSE(table.acquire<Apple>(handle)) << "dead to others at once";
    first = Ref<Apple>();
    EXPECT_EQ(second->number, 9);
    EXPECT_EQ(g_alive, 1);
  }
  EXPECT_EQ(g_alive, 0);
}

TEST(Handles, ASlotInUseIsNotGivenToAnother) {
  HandleTable table;
  void* handle = insert(table, 1);
  const Ref<Apple> held = table.acquire<Apple>(handle);
  table.remove<Apple>(handle);
  void* next = insert(table, 2);
  EXPECT_EQ(held->number, 1);
  EXPECT_EQ(table.acquire<Apple>(next)->number, 2);
}

TEST(Handles, ARefMovesWithItsReference) {
  HandleTable table;
  void* handle = insert(table, 3);
  Ref<Apple> from = table.acquire<Apple>(handle);
  const Ref<Apple> to = std::move(from);
  table.remove<Apple>(handle);
  EXPECT_EQ(to->number, 3);
  EXPECT_EQ(g_alive, 1);
}

TEST(Handles, TheTableGrowsBeyondOneChunk) {
  HandleTable table;
  std::vector<void*> handles;
  for (int i = 0; i < 3000; ++i) handles.push_back(insert(table, i));
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(table.acquire<Apple>(handles[static_cast<size_t>(i)])->number, i);
}

TEST(Handles, TheTableTakesItsObjectsAlong) {
  {
    HandleTable table;
    insert(table);
    insert(table);
    EXPECT_EQ(g_alive, 2);
  }
  EXPECT_EQ(g_alive, 0);
}

TEST(Handles, EightThreadsInsertUseAndFree) {
  HandleTable table;
  std::array<std::atomic<void*>, 16> shared{};
  std::atomic<int> wrong{0};
  std::atomic<int> freed{0};
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      unsigned state = t + 1;
      for (int i = 0; i < 4000; ++i) {
        state = state * 1664525 + 1013904223;
        const size_t place = state >> 28;
        void* handle = shared[place].load();
        if (state >> 16 & 1) {
          ++made;
          shared[place].store(
              insert(table, static_cast<int>(place)));  // the old one may stay, or be freed below
        } else if (const Ref<Apple> apple = table.acquire<Apple>(handle)) {
          if (apple->number != static_cast<int>(place)) ++wrong;
        }
        if (handle && table.remove<Apple>(handle)) ++freed;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(g_alive, made - freed) << "an object was lost or freed twice";
}

TEST(Handles, OneOfManyThreadsFreesAnObject) {
  HandleTable table;
  for (int round = 0; round < 200; ++round) {
    void* handle = insert(table);
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back([&] { winners += table.remove<Apple>(handle) ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(winners, 1);
    ASSERT_EQ(g_alive, 0);
  }
}

}  // namespace
}  // namespace openqnn::runtime
