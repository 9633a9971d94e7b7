using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfTools.Hosting.Reporting;

namespace ConsPerf;

/// <summary>The message file of what ConsPerf sends to items.</summary>
internal static class ConsumerMessages
{
    /// <summary>Loads the file and checks it, against the user's dictionary or against the built-in one while the provider's is not known yet.</summary>
    /// <returns>Null where nothing is sent to items.</returns>
    /// <exception cref="SetupException">The file cannot be used, or the item list marks no item for it (exit code 3).</exception>
    public static MessageData? Load(ConsPerfOptions options, ItemList items, FieldDictionary? dictionary)
    {
        if (!options.SendsToItems)
            return null;
        MessageData messages = MessageData.Load(options.MsgFile, dictionary ?? FieldDictionary.Default);
        if (options.PostingRate > 0)
            Require(items.PostCount, "post", "-postingRate", messages.RequirePosts);
        if (options.GenericMsgRate > 0)
            Require(items.GenMsgCount, "generic", "-genericMsgRate", messages.RequireGenerics);
        messages.RequireOrderBooks(items, posting: options.PostingRate > 0, generics: options.GenericMsgRate > 0);
        return messages;

        void Require(int marked, string attribute, string option, Action requireMessages)
        {
            if (marked == 0)
            {
                throw new SetupException(SetupProblem.InputFile, $"{InvariantText.OneLine(options.ItemFile)}: "
                    + $"none of the first {items.Count} items has {attribute}=\"true\", which {option} needs");
            }

            requireMessages();
        }
    }
}
