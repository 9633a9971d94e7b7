using System.Text;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class MessageDataTests
{
    [Fact]
    public void Load_OneOfEach_KeepsOrderAndNumber()
    {
        MessageData data = Load(MessageFile.Of(
            updates: [MessageFile.Bid("1"), MessageFile.Bid("22")],
            posts: [MessageFile.Bid("3"), MessageFile.Bid("4"), MessageFile.Bid("5")],
            generics: [MessageFile.Bid("6")]));

        Assert.Equal(1, data.Refresh.FieldCount);
        Assert.Equal(2, data.Updates.Count);
        Assert.Equal(3, data.Posts.Count);
        Assert.Single(data.Generics);
        Assert.Empty(data.Warnings);
        data.RequirePosts();
        data.RequireGenerics();
    }

    [Fact]
    public void Load_GenericMsg_IsGenMsg()
    {
        MessageData data =
            Load(MessageFile.Of(generics: [MessageFile.Bid("6")]).Replace("genMsg>", "genericMsg>", StringComparison.Ordinal));
        Assert.Single(data.Generics);
    }

    [Fact]
    public void Load_FileThatWasRead_IsOpenNoMore()
    {
        using TemporaryFile file = new(MessageFile.Of());
        MessageData.Load(file.Path, MessageFile.Dictionary);
        using FileStream own = new(file.Path, FileMode.Open, FileAccess.Read, FileShare.None); // by one program at a time
        Assert.True(own.CanRead);
    }

    [Fact]
    public void Require_NoneInFile_NamesWhatIsMissing()
    {
        MessageData data = Load(MessageFile.Of());
        Assert.EndsWith("has no <postMsg>, which posting needs", Assert.Throws<SetupException>(data.RequirePosts).Message);
        Assert.EndsWith("has no <genMsg>, which generic messages needs", Assert.Throws<SetupException>(data.RequireGenerics).Message);
    }

    [Theory]
    [InlineData("""updateMsgCount="2" """, "(2): updateMsgCount is 2, found 1")]
    [InlineData("""updateMsgCount="0" """, "(2): updateMsgCount is 0, at least 1 is needed")]
    [InlineData("""postMsgCount="1" """, "(2): postMsgCount is 1, found 0")]
    [InlineData("""genMsgCount="4000000000" """, "(2): genMsgCount is \"4000000000\", expected a number")]
    [InlineData("""genMsgCount="2000000000" """, "(2): genMsgCount is 2000000000, found 0")]
    [InlineData("""genericMsgCount="-1" """, "(2): genMsgCount is \"-1\", expected a number")]
    public void Load_CountAboveTheContent_IsRefused(string attributes, string problem) => Assert.Contains(problem,
        Refused(MessageFile.Of().Replace("<marketPriceMsgList", "<marketPriceMsgList " + attributes, StringComparison.Ordinal)).Message);

    [Fact]
    public void Load_CountsOfTheContent_WarnOfNothing() => Assert.Empty(
        Load(MessageFile.Of().Replace("<marketPriceMsgList", """<marketPriceMsgList updateMsgCount="1" postMsgCount="0" genMsgCount="0" """,
            StringComparison.Ordinal)).Warnings);

    [Fact]
    public void Load_CountsBelowTheContent_TakeTheFirstMessages()
    {
        MessageData data = Load(MessageFile.Of(
                updates: [MessageFile.Bid("1"), MessageFile.Bid("22") + MessageFile.Bid("23")],
                posts: [MessageFile.Bid("3"), MessageFile.Bid("4")],
                generics: [MessageFile.Bid("5"), "<nothing/>"])
            .Replace("<marketPriceMsgList", """<marketPriceMsgList updateMsgCount="1" postMsgCount="1" genericMsgCount="1" """,
                StringComparison.Ordinal));

        Assert.Equal(1, Assert.Single(data.Updates).FieldCount);
        Assert.Single(data.Posts);
        Assert.Single(data.Generics);
        Assert.Equal(
            [
                "(2): updateMsgCount is 1, found 2: only the first 1 are used",
                "(2): postMsgCount is 1, found 2: only the first 1 are used",
                "(2): genMsgCount is 1, found 2: only the first 1 are used",
            ],
            data.Warnings.Select(warning => warning[warning.LastIndexOf('(')..]));
    }

    [Fact]
    public void Load_EntryCountAboveTheFields_IsRefused() => Assert.EndsWith(
        "(3): entryCount is 9, found 1",
        Refused(MessageFile.Of().Replace("<fieldList>", "<fieldList entryCount=\"9\">", StringComparison.Ordinal)).Message);

    [Fact]
    public void Load_EntryCountBelowTheFields_TakesTheFirst()
    {
        // entries beyond the count are not read
        string fields = MessageFile.Bid("1") + MessageFile.Bid("2") + "<fieldEntry fieldId=\"9999\" dataType=\"RSSL_DT_REAL\" data=\"3\"/>";
        MessageData data = Load(MessageFile.Of(refresh: fields, updates: [fields])
            .Replace("<fieldList>", "<fieldList entryCount=\"2\">", StringComparison.Ordinal));

        Assert.Equal(2, data.Refresh.FieldCount);
        Assert.Equal(2, Assert.Single(data.Updates).FieldCount);
        Assert.EndsWith("(3): entryCount is 2, found 3: only the first 2 are used", Assert.Single(data.Warnings));
    }

    [Theory]
    [InlineData("<refreshMsg", "<updateMsg", "refreshMsg", "<marketPriceMsgList> has no <refreshMsg>")]
    [InlineData("<updateMsg", "<refreshMsg", "updateMsg", "a second <refreshMsg>, expected one")]
    [InlineData("<updateMsg", "<genMsg", "updateMsg", "<marketPriceMsgList> has no <updateMsg>")]
    public void Load_WrongSetOfMessages_IsRefused(string old, string replacement, string oldName, string problem)
    {
        string text = MessageFile.Of().Replace(old, replacement, StringComparison.Ordinal)
            .Replace($"</{oldName}", "</" + replacement[1..], StringComparison.Ordinal);
        Assert.Contains(problem, Refused(text).Message);
    }

    [Theory]
    [InlineData("<postMsg></postMsg>", "<postMsg> has no <updateMsg>")]
    [InlineData("<postMsg/>", "<postMsg> has no <updateMsg>")]
    [InlineData("<genMsg><dataBody></dataBody></genMsg>", "<genMsg> has no <fieldList>")]
    [InlineData("<genMsg><dataBody><fieldList/><fieldList/></dataBody></genMsg>", "a second <fieldList> in this message")]
    [InlineData("<genMsg><dataBody containerType=\"MAP\"/></genMsg>",
        "containerType is \"MAP\", a market price message holds a FIELD_LIST")]
    [InlineData("<genMsg containerType=\"FIELD_LIST\"/>", "<genMsg> has no <fieldList>")]
    [InlineData("<genMsg>", ".xml(")]
    [InlineData("&bad;", ".xml(")]
    public void Load_WrongMessage_IsRefused(string message, string problem) =>
        Assert.Contains(problem, Refused(MessageFile.Of(more: message)).Message);

    [Fact]
    public void Load_TwoUpdatesInOnePost_IsRefused()
    {
        string update = $"<updateMsg><dataBody><fieldList>{MessageFile.Bid("1")}</fieldList></dataBody></updateMsg>";
        Assert.Contains("a second <updateMsg> in this <postMsg>",
            Refused(MessageFile.Of(more: $"<postMsg>{update}{update}</postMsg>")).Message);
    }

    [Theory]
    [InlineData("", "there is no <msgFormat>")]
    [InlineData("<itemList/>", "(1): found <itemList>, expected <msgFormat>")]
    [InlineData("<msgFormat/>", "there is no <marketPriceMsgList>")]
    [InlineData("<!DOCTYPE m SYSTEM \"file:///etc/passwd\"><msgFormat/>", "(1): a DTD is not allowed here")]
    public void Load_NotAMessageFile_IsRefused(string text, string problem)
    {
        string message = Refused(text).Message;
        if (text.Length > 0)
            Assert.Contains(problem, message);
    }

    [Fact]
    public void Load_SecondList_IsRefused()
    {
        string text = MessageFile.Of().Replace("</msgFormat>", "<marketPriceMsgList/></msgFormat>", StringComparison.Ordinal);
        Assert.Contains("a second <marketPriceMsgList>, expected one", Refused(text).Message);
    }

    [Fact]
    public void Load_UnknownElements_AreSkippedWithOneWarningEach()
    {
        MessageData data = Load(MessageFile.Of(more: "<extra><a><b/></a></extra>\n<extra/>\n<other x=\"1\">text</other>"));
        Assert.Equal(2, data.Warnings.Count);
        Assert.EndsWith("(5): unknown element <extra> is passed over", data.Warnings[0]);
        Assert.EndsWith("(7): unknown element <other> is passed over", data.Warnings[1]);
    }

    [Fact]
    public void Load_UnknownElementInEveryPlace_IsSkipped()
    {
        string text = MessageFile.Of().Replace("</", "<note/></", StringComparison.Ordinal);
        MessageData data = Load(text);
        Assert.Single(data.Warnings);
        Assert.Single(data.Updates);
    }

    [Fact]
    public void Load_FileAbsent_SaysSo()
    {
        SetupException error = Assert.Throws<SetupException>(() => MessageData.Load("no-such-data.xml", MessageFile.Dictionary));
        Assert.Equal(SetupProblem.InputFile, error.Problem);
        Assert.StartsWith("no-such-data.xml: unable to find it", error.Message);
    }

    [Fact]
    public void Load_Stream_StaysOpenAndIsNamedInErrors()
    {
        using MemoryStream good = new(Encoding.UTF8.GetBytes(MessageFile.Of())), bad = new("<msgFormat>\n<a>"u8.ToArray());

        Assert.Equal("mine", MessageData.Load(good, "mine", MessageFile.Dictionary).Name);
        Assert.True(good.CanRead);
        Assert.StartsWith(
            "mine(2): ", Assert.Throws<SetupException>(() => MessageData.Load(bad, "mine", MessageFile.Dictionary)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Default_OwnDictionary_IsTheShippedFile()
    {
        MessageData shipped = MessageData.Load(Path.Combine(AppContext.BaseDirectory, "Common", "MsgData.xml"), FieldDictionary.Default);
        MessageData own = MessageData.Default(FieldDictionary.Default);

        Assert.Equal(shipped.Refresh.Fields, own.Refresh.Fields);
        Assert.Equal(shipped.Updates.SelectMany(update => update.Fields), own.Updates.SelectMany(update => update.Fields));
        Assert.Equal((2, 2), (own.Posts.Count, own.Generics.Count));
    }

    [Fact]
    public void Load_ShippedNameThatIsNowhere_IsTheLibrarysOwn() => Assert.Equal(
        70, MessageData.Load("MsgData.xml", FieldDictionary.Default).Refresh.FieldCount);

    [Fact]
    public void Create_MessagesMadeInCode_ArePutTogether()
    {
        FieldListTemplate list = new FieldListBuilder(MessageFile.Dictionary).Add("BID", 1).Build();

        MessageData data = MessageData.Create(list, [list, list], generics: [list]);

        Assert.Equal((2, 0, 1), (data.Updates.Count, data.Posts.Count, data.Generics.Count));
        Assert.Throws<ArgumentException>(() => MessageData.Create(list, []));
        Assert.Throws<SetupException>(data.RequirePosts);
    }

    [Fact]
    public void Load_DirectoryInsteadOfFile_SaysSo() =>
        Assert.Equal(SetupProblem.InputFile,
            Assert.Throws<SetupException>(() => MessageData.Load(Path.GetTempPath(), MessageFile.Dictionary)).Problem);

    internal static MessageData Load(string text)
    {
        using TemporaryFile file = new(text);
        return MessageData.Load(file.Path, MessageFile.Dictionary);
    }

    private static SetupException Refused(string text)
    {
        using TemporaryFile file = new(text);
        SetupException error = Assert.Throws<SetupException>(() => MessageData.Load(file.Path, MessageFile.Dictionary));
        Assert.Equal(SetupProblem.InputFile, error.Problem);
        Assert.StartsWith(file.Path, error.Message);
        return error;
    }
}
