// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/profile.h"

#include <gmock/gmock.h>

#include <set>
#include <span>
#include <thread>

namespace openqnn::runtime {
namespace {

using profile::ProfileEvent;

ProfileEvent event(const std::string& name, std::vector<ProfileEvent> children = {}) {
  ProfileEvent made;
  made.name = name;
  made.value = name.size();
  made.children = std::move(children);
  return made;
}

struct Held {
  void* handle;
  Ref<Profile> profile;
};

Held make_profile() {
  HandleTable& table = HandleTable::instance();
  void* handle = table.insert(Kind::kProfile, std::make_unique<Profile>(profile::Level::kBasic));
  Held held{handle, table.acquire<Profile>(handle)};
  held.profile->register_handle(handle);
  return held;
}

TEST(Profile, AnEventIsFoundByItsId) {
  Profile profile(profile::Level::kDetailed);
  EXPECT_EQ(profile.level(), profile::Level::kDetailed);
  profile.add({event("a"), event("bb")}, {5'000'999});
  ASSERT_EQ(profile.events().size(), 2U);
  const Profile::Entry* second = profile.find(profile.events()[1]);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->event.name, "bb");
  EXPECT_EQ(second->event.value, 2U);
  EXPECT_EQ(second->timestamp_us, 5000U);
}

TEST(Profile, ChildrenHaveIdsOfTheirOwn) {
  Profile profile(profile::Level::kBasic);
  profile.add({event("execute", {event("rpc", {event("cycles")}), event("accelerator")})}, {});
  ASSERT_EQ(profile.events().size(), 1U) << "only the top level is listed";
  const Profile::Entry* top = profile.find(profile.events()[0]);
  ASSERT_EQ(top->children.size(), 2U);
  const Profile::Entry* rpc = profile.find(top->children[0]);
  EXPECT_EQ(rpc->event.name, "rpc");
  ASSERT_EQ(rpc->children.size(), 1U);
  EXPECT_EQ(profile.find(rpc->children[0])->event.name, "cycles");
  EXPECT_EQ(profile.find(top->children[1])->event.name, "accelerator");
}

TEST(Profile, IdsAndEntriesStayValidWhileItGrows) {
  Profile profile(profile::Level::kBasic);
  profile.add({event("first", {event("child")})}, {});
  const EventId id = profile.events()[0];
  const Profile::Entry* entry = profile.find(id);
  const char* name = entry->event.name.c_str();
  for (int i = 0; i < 10000; ++i) profile.add({event("later")}, {});
  EXPECT_EQ(profile.find(id), entry);
  EXPECT_EQ(entry->event.name.c_str(), name) << "a client may keep the pointer";
  EXPECT_STREQ(name, "first");
}

TEST(Profile, AListHandedOutDoesNotChange) {
  Profile profile(profile::Level::kBasic);
  profile.add({event("a")}, {});
  const std::span<const EventId> before = profile.events();
  const std::vector<EventId> events(before.begin(), before.end());
  while (profile.events().data() == before.data()) profile.add({event("b")}, {});
  EXPECT_THAT(before, testing::ElementsAreArray(events)) << "beside a larger list";
}

TEST(Profile, ListsAskedForAfterEachCallShareTheirMemory) {
  Profile profile(profile::Level::kBasic);
  std::set<const EventId*> lists;
  for (int i = 0; i < 1000; ++i) {
    profile.add({event("a")}, {});
    lists.insert(profile.events().data());
  }
  EXPECT_LE(lists.size(), 8U);
}

TEST(Profile, AnIdThatNamesNothingIsNotFound) {
  Profile profile(profile::Level::kBasic);
  EXPECT_FALSE(profile.find(0));
  profile.add({event("a")}, {});
  EXPECT_FALSE(profile.find(profile.events()[0] + 1));
}

TEST(Profile, MoreEventsThanWantedAreDropped) {
  Profile profile(profile::Level::kBasic);
  profile.set_max_events(2);
  profile.add({event("a"), event("b"), event("c")}, {});
  profile.add({event("d")}, {});
  ASSERT_EQ(profile.events().size(), 2U);
  EXPECT_EQ(profile.find(profile.events()[1])->event.name, "b") << "the first ones stay";
}

TEST(Profile, AnEventKnowsItsProfile) {
  const Held one = make_profile();
  const Held two = make_profile();
  one.profile->add({event("a")}, {});
  two.profile->add({event("b")}, {});
  const EventId a = one.profile->events()[0];
  const EventId b = two.profile->events()[0];
  EXPECT_NE(a, b);
  EXPECT_EQ(&*Profile::owner_of(a), &*one.profile);
  EXPECT_EQ(&*Profile::owner_of(b), &*two.profile);
  HandleTable::instance().remove<Profile>(one.handle);
  HandleTable::instance().remove<Profile>(two.handle);
}

TEST(Profile, AnEventOfAFreedProfileHasNoOwner) {
  EventId id = 0;
  {
    const Held held = make_profile();
    held.profile->add({event("a")}, {});
    id = held.profile->events()[0];
    HandleTable::instance().remove<Profile>(held.handle);
    EXPECT_FALSE(Profile::owner_of(id)) << "freed, though a call still uses it";
  }
  EXPECT_FALSE(Profile::owner_of(id));
  EXPECT_FALSE(Profile::owner_of(0));
  EXPECT_FALSE(Profile::owner_of(UINT64_MAX));
}

TEST(Profile, SeveralThreadsMayAddAndRead) {
  Profile profile(profile::Level::kBasic);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        profile.add({event("e", {event("c")})}, {});
        for (const EventId id : profile.events())
          if (profile.find(id)->event.name != "e") ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(std::set<EventId>(profile.events().begin(), profile.events().end()).size(), 800U);
}

}  // namespace
}  // namespace openqnn::runtime
