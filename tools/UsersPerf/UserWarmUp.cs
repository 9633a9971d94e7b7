using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>Runs a user before a run, so that its code is compiled when measuring begins.</summary>
internal static class UserWarmUp
{
    private const int Items = 2_000;

    /// <summary>Receives built-in messages for some 10 ms with a user of many items, so that its code is compiled.</summary>
    public static void Run()
    {
        UsersPerfOptions options = new() { Subscriptions = Items, Subjects = Items };
        WorkerRecording recording = UsersPerfRole.CreateRecording(options);
        using Worker worker = new(new WorkerOptions(), recording);
        UserThread thread = new(worker, new UserPlan(options, ItemList.Create([]), [options.Connection.Client]));
        SessionWarmUp.Consumer(FieldDictionary.Default, MessageData.Default(FieldDictionary.Default), new User(thread), recording);
    }
}
